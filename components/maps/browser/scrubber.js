// The time under the map: a histogram of people hour by hour with a handle, play and pause.

import { count, element, peopleCount, placeCount, sizedPen } from "./dom.js";

const STEP_MS = 300;
const REST_MS = 400;
const [AXIS_PX, HANDLE_PX] = [18, 6];
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -24, PageUp: 24 };

export class Scrubber {
  // `onMove` is called with each hour, `onRest` once the handle stops.
  constructor({ onMove, onRest }) {
    this.onMove = onMove;
    this.onRest = onRest;
    this.play = element("button", { type: "button", class: "play" });
    this.time = element("strong", { class: "time" });
    this.figure = element("span", { class: "figure" });
    this.histogram = element("canvas", { "aria-hidden": "true" });
    this.slider = element(
      "div",
      { class: "slider", role: "slider", tabindex: "0", "aria-label": "Time on the map", "aria-valuemin": "0" },
      this.histogram,
    );
    this.root = element(
      "div",
      { class: "scrubber" },
      element("div", { class: "reading" }, this.play, this.time, this.figure),
      this.slider,
    );
    this.play.onclick = () => (this.timer ? this.stop() : this.start());
    this.slider.onpointerdown = (event) => this.grab(event);
    this.slider.onpointermove = (event) => this.isHeld && this.moveTo(this.hourAt(event));
    this.slider.onpointerup = this.slider.onpointercancel = () => this.release();
    this.slider.onkeydown = (event) => this.press(event);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.histogram);
    this.showPlay();
  }

  get isBusy() {
    return this.isHeld || Boolean(this.timer) || Boolean(this.resting);
  }

  show({ data, hour, clock, colors }) {
    Object.assign(this, { data, clock, colors });
    this.slider.setAttribute("aria-valuemax", data.hours - 1);
    this.font = getComputedStyle(this.root).fontFamily;
    this.days = [];
    for (let each = 0, before = ""; each < data.hours; each++) {
      const day = clock.day(data.timeOf(each));
      if (day !== before) this.days.push(each);
      before = day;
    }
    this.hour = hour;
    this.draw();
  }

  moveTo(hour) {
    const next = Math.max(0, Math.min(this.data.hours - 1, hour));
    if (next === this.hour) return;
    this.hour = next;
    this.onMove(next);
    this.draw();
  }

  start() {
    if (this.hour >= this.data.hours - 1) this.moveTo(0);
    this.timer = setInterval(() => {
      this.moveTo(this.hour + 1);
      if (this.hour >= this.data.hours - 1) this.stop();
    }, STEP_MS);
    this.showPlay();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.showPlay();
  }

  stop() {
    this.pause();
    this.onRest(this.hour);
  }

  showPlay() {
    this.play.textContent = this.timer ? "❚❚" : "▶";
    this.play.setAttribute("aria-label", this.timer ? "Pause" : "Play");
    this.play.title = this.timer ? "Pause" : "Play hour by hour";
  }

  grab(event) {
    if (event.button) return;
    if (this.timer) this.stop();
    this.isHeld = true;
    this.slider.setPointerCapture(event.pointerId);
    this.moveTo(this.hourAt(event));
  }

  release() {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.onRest(this.hour);
  }

  press(event) {
    const ends = { Home: 0, End: this.data.hours - 1 };
    const step = KEYS[event.key] * (event.shiftKey ? 24 : 1);
    const hour = ends[event.key] ?? this.hour + step;
    if (Number.isNaN(hour)) return;
    event.preventDefault();
    if (this.timer) this.stop();
    this.moveTo(hour);
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      this.resting = null;
      this.onRest(this.hour);
    }, REST_MS);
  }

  hourAt(event) {
    const box = this.slider.getBoundingClientRect();
    return Math.floor(((event.clientX - box.left) / box.width) * this.data.hours);
  }

  draw() {
    if (!this.data) return;
    this.describe();
    if (!this.histogram.clientWidth) return;
    const { data, colors, clock } = this;
    const pen = sizedPen(this.histogram);
    const [width, foot] = [this.histogram.clientWidth, this.histogram.clientHeight - AXIS_PX];
    const perHour = width / data.hours;
    const today = clock.day(Date.now());
    let most = 1;
    for (let hour = 0; hour < data.hours; hour++) most = Math.max(most, data.atPlaces[hour] + data.inTransit[hour]);
    pen.font = `12px ${this.font}`;
    pen.textBaseline = "bottom";
    const labelWidth = pen.measureText("Wed 30").width + 10;
    this.days.forEach((hour, number) => {
      const end = this.days[number + 1] ?? data.hours;
      const isToday = clock.day(data.timeOf(hour)) === today;
      if (isToday) {
        pen.fillStyle = colors.statuses[0];
        pen.globalAlpha = 0.14;
        pen.fillRect(hour * perHour, 0, (end - hour) * perHour, foot);
        pen.globalAlpha = 1;
      }
      pen.fillStyle = colors.border;
      if (number) pen.fillRect(Math.round(hour * perHour), 0, 1, foot + 4);
      const dayWidth = perHour * 24;
      const every = Math.ceil(labelWidth / dayWidth);
      const distance = number - this.days.findIndex((each) => clock.day(data.timeOf(each)) === today);
      if (distance % every === 0 && (end - hour) * perHour > labelWidth / 2) {
        pen.fillStyle = colors.ink;
        pen.textAlign = "left";
        const label = isToday ? "Today" : clock.shortDay(data.timeOf(hour));
        pen.fillText(label, hour * perHour + 4, foot + AXIS_PX - 1);
      }
    });
    for (let hour = 0; hour < data.hours; hour++) {
      const [left, right] = [Math.round(hour * perHour), Math.round((hour + 1) * perHour)];
      const atPlaces = (data.atPlaces[hour] / most) * (foot - 4);
      const inTransit = (data.inTransit[hour] / most) * (foot - 4);
      pen.globalAlpha = hour === this.hour ? 1 : 0.55;
      pen.fillStyle = colors.statuses[0];
      pen.fillRect(left, foot - atPlaces, right - left, atPlaces);
      pen.fillStyle = colors.statuses[1];
      pen.fillRect(left, foot - atPlaces - inTransit, right - left, inTransit);
    }
    pen.globalAlpha = 1;
    this.drawHandle(pen, (this.hour + 0.5) * perHour, foot);
  }

  drawHandle(pen, x, foot) {
    pen.fillStyle = this.colors.ink;
    pen.fillRect(Math.round(x) - 1, 0, 2, foot);
    pen.beginPath();
    pen.arc(x, foot, HANDLE_PX, 0, 2 * Math.PI);
    pen.fill();
    pen.lineWidth = 2;
    pen.strokeStyle = this.colors.casing;
    pen.stroke();
  }

  describe() {
    const { data, hour } = this;
    const moment = this.clock.dayAndTime(data.timeOf(hour));
    let places = 0;
    for (const people of data.peopleAt(hour)) if (people) places++;
    const parts = [`${peopleCount(data.atPlaces[hour])} at places`, `${placeCount(places)} on the map`];
    if (data.inTransit[hour]) parts.push(`${count(data.inTransit[hour])} in transit`);
    if (data.notCovered[hour]) parts.push(`${count(data.notCovered[hour])} not covered`);
    this.time.textContent = moment;
    this.figure.textContent = parts.join(" · ");
    this.slider.setAttribute("aria-valuenow", hour);
    this.slider.setAttribute("aria-valuetext", `${moment}: ${parts.join(", ")}`);
  }

  // Stop timers that would report an hour later.
  rest() {
    this.pause();
    clearTimeout(this.resting);
    this.resting = null;
  }

  close() {
    this.rest();
    this.observer.disconnect();
  }
}
