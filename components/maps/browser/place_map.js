// The map of expected locations that place_map.py describes. One element sends the counts, another the view of them.

import { AreaTools } from "./area_tools.js";
import { Clock } from "./clock.js";
import { Clusters } from "./clusters.js";
import { element, isDark } from "./dom.js";
import { canDraw, fileUrl, openGround } from "./ground.js";
import { linesOfCurve, linesOfMark, summaryOf } from "./mark_text.js";
import { legendOf } from "./marks.js";
import { readGeography } from "./names.js";
import { PlaceButtons } from "./place_buttons.js";
import { readPlaceHours } from "./place_hours.js";
import { Scrubber } from "./scrubber.js";
import { Sheet } from "./sheet.js";
import { boundsOf } from "./world.js";

const VERSION_SIZE = 16;
const VERSIONS_IN_MEMORY = 4;
const WORLD = [-170, -55, 190, 75];
const REST_MS = 300;
const WAIT_MS = 5000;
const SURROUNDINGS = 7; // the zoom that shows a place with the cities around it
const SAME_SPOT = 1e-4; // degrees
const NO_WEBGL = "This browser cannot draw maps. WebGL is missing or switched off.";
const NOT_LOADED = "The map failed to load. Reload the page to try again.";

// Counts by their version, for all maps of the page. The first request waits until they arrive.
const arrivals = new Map();
function countsOf(version) {
  let arrival = arrivals.get(version);
  if (!arrival) {
    arrival = {};
    arrival.data = new Promise((resolve) => (arrival.receive = resolve));
    arrivals.set(version, arrival);
    if (arrivals.size > VERSIONS_IN_MEMORY) arrivals.delete(arrivals.keys().next().value);
  }
  return arrival;
}

function receive(bytes) {
  const arrival = countsOf(new TextDecoder().decode(bytes.subarray(0, VERSION_SIZE)));
  if (arrival.isRead) return;
  arrival.isRead = true;
  arrival.receive(readPlaceHours(bytes.subarray(VERSION_SIZE)));
}

// Maps by key. Streamlit removes and recreates an element when an element above it appears or disappears, so the map is
// kept for a short time, and its view for longer.
const maps = new Map();
const views = new Map();

export default function ({ data, parentElement: root, setTriggerValue }) {
  if (data instanceof Uint8Array) {
    receive(data);
    return undefined;
  }
  const { key } = data;
  const map = maps.get(key) ?? new PlaceMap();
  maps.set(key, map);
  map.moveTo(root);
  map.send = setTriggerValue;
  map.show(data);
  return () => {
    if (map.parent !== root) return;
    map.leave(() => {
      maps.delete(key);
      map.close();
    });
  };
}

class PlaceMap {
  constructor() {
    this.reports = [];
    this.taken = new Map();
    this.ground = element("div", { class: "ground" });
    this.canvas = element("canvas", { class: "sheet", "aria-hidden": "true" });
    this.tip = element("div", { class: "tip", hidden: true });
    this.showAll = element("button", { type: "button", class: "show-all" }, "Show all");
    this.showAll.onclick = () => this.fitAll();
    this.message = element("p", { class: "message", hidden: true });
    this.summary = element("p", { class: "summary", "aria-live": "polite" });
    this.legend = element("ul", { class: "legend", "aria-label": "Marks" });
    this.buttons = new PlaceButtons((mark, isAdded) => this.press(mark, isAdded));
    this.scrubber = new Scrubber({ onMove: (hour) => this.step(hour), onRest: (hour) => this.rest(hour) });
    this.frame = element("div", { class: "frame" }, this.ground, this.canvas, this.buttons.root, this.tip, this.showAll);
    const stylesheet = element("link", { rel: "stylesheet", href: fileUrl("map/maplibre-gl.css") });
    this.root = element(
      "div",
      { class: "place-map" },
      stylesheet,
      this.message,
      element("div", { class: "board" }, this.frame, this.legend),
      this.scrubber.root,
      this.summary,
    );
    this.styled = new Promise((resolve) => (stylesheet.onload = stylesheet.onerror = resolve));
  }

  moveTo(parent) {
    clearTimeout(this.leaving);
    if (this.parent === parent) return;
    this.parent = parent;
    parent.append(this.root);
    this.map?.map.resize(); // it was created without a size, and its base map would not match the marks
  }

  leave(close) {
    this.scrubber.rest();
    clearTimeout(this.describing);
    this.parent = null;
    this.root.remove();
    this.leaving = setTimeout(close, WAIT_MS);
  }

  // Show what the server sends. Hour, view, and selection are applied only if the server has changed them.
  async show(wanted) {
    this.wanted = wanted;
    this.frame.style.height = wanted.height;
    this.root.classList.toggle("bare", !wanted.showsPeople);
    const { colors } = this.followTheme();
    for (const [name, color] of [["ink", colors.tooltip_ink], ["back", colors.tooltip_ground], ["sea", colors.sea]]) {
      this.root.style.setProperty(`--map-${name}`, color);
    }
    const data = await countsOf(wanted.version).data;
    if (this.wanted !== wanted || this.isClosed) return;
    if (data !== this.data) {
      this.data = data;
      this.clusters = new Clusters(data);
    }
    if (this.isNew("selected", wanted)) this.selected = new Set(wanted.selected);
    if (this.isNew("hour", wanted) && !this.scrubber.isBusy) this.hour = wanted.hour;
    this.hour = Math.min(this.hour, data.hours - 1);
    this.clock = new Clock(wanted.clock);
    this.scrubber.show({ data, hour: this.hour, clock: this.clock, colors: this.colors });
    this.legend.replaceChildren(...legendOf(this.colors, wanted.limit));
    this.opening ??= this.open();
    await this.opening;
    if (this.isClosed || this.wanted !== wanted) return;
    this.map?.setTheme(this.root.dataset.theme, this.colors);
    if (this.map && wanted.tools.length) {
      const { map, frame, sheet } = this;
      const [names, onArea] = [wanted.tools, (area) => this.report("area", area)];
      this.areaTools ??= new AreaTools({ map: map.map, frame, sheet, names, onArea });
      const changed = ["area", "outlines"].filter((name) => this.isNew(name, wanted));
      if (changed.length) this.areaTools.show(wanted.area, wanted.outlines);
    }
    const { bounds } = wanted;
    if (this.isNew("bounds", wanted) && bounds && JSON.stringify(bounds) !== this.reportedView) {
      this.map?.show(unwrapped(bounds));
    }
    const isPressed = this.pressed === JSON.stringify(wanted.selected);
    if (this.isNew("focus", wanted) && wanted.focus.length && !isPressed) this.moveToPoints(wanted.focus);
    this.draw();
    this.describe();
  }

  // Return whether the server has changed this value since it was last applied.
  isNew(name, wanted) {
    const text = JSON.stringify(wanted[name]);
    if (this.taken.get(name) === text) return false;
    this.taken.set(name, text);
    return true;
  }

  // The theme changes in the browser only. The background color shows which one it is.
  followTheme() {
    const theme = isDark(getComputedStyle(this.root).getPropertyValue("--st-background-color")) ? "dark" : "light";
    this.root.dataset.theme = theme;
    this.colors = this.wanted.colors[theme];
    return { theme, colors: this.colors };
  }

  get scene() {
    const { data, clusters, hour, selected, wanted, colors } = this;
    return { data, clusters, hour, selected, limit: wanted.limit, colors };
  }

  async open() {
    if (!canDraw) return this.explain(NO_WEBGL);
    try {
      await Promise.all([this.styled, sized(this.ground)]);
      const { key, bounds } = this.wanted;
      this.isNew("bounds", this.wanted); // the map opens with them
      if (views.has(key) || bounds) this.isNew("focus", this.wanted);
      const { theme, colors } = this.followTheme();
      const view = views.get(key);
      const isSame = view && JSON.stringify(view.wanted) === JSON.stringify(bounds);
      const place = isSame ? view.place : { bounds: bounds ? unwrapped(bounds) : this.boundsOfAll() };
      this.map = await openGround(this.ground, { theme, colors, place });
    } catch (error) {
      console.warn(error);
      return this.explain(NOT_LOADED);
    }
    this.sheet = new Sheet(this.canvas, this.map.map);
    this.listen(this.map.map);
    this.reportedView = JSON.stringify(this.currentView());
    readGeography()
      .then(() => this.sheet.paint())
      .catch((error) => console.warn(error));
    return undefined;
  }

  explain(message) {
    this.message.textContent = `${message} ${this.wanted.fallback}`;
    this.message.hidden = false;
    this.frame.classList.add("without-map");
  }

  listen(map) {
    map.on("render", () => this.sheet.paint());
    map.on("moveend", () => {
      const place = { center: map.getCenter(), zoom: map.getZoom() };
      views.set(this.wanted.key, { place, wanted: this.wanted.bounds });
      this.describe();
      this.reportView();
    });
    map.on("click", ({ point, originalEvent: event }) => {
      const mark = event.detail < 2 && this.sheet.markAt(point); // the second click of two would clear the selection
      if (mark) this.press(mark, event.shiftKey || event.ctrlKey || event.metaKey);
    });
    map.on("dblclick", (event) => this.sheet.markAt(event.point) && event.preventDefault()); // no zoom
    map.on("mousemove", ({ point }) => this.hover(point));
    map.on("mouseout", () => (this.tip.hidden = true));
    map.on("movestart", () => (this.tip.hidden = true));
    map.once("idle", () => this.root.setAttribute("data-painted", ""));
  }

  step(hour) {
    this.hour = hour;
    this.tip.hidden = true;
    this.draw();
  }

  rest(hour) {
    this.describe();
    this.report("hour", hour);
  }

  draw() {
    if (this.sheet) this.sheet.show(this.scene);
    else if (this.data) this.buttons.showAsList(this.scene);
  }

  // Describe the map for screen readers only while it does not move.
  describe() {
    clearTimeout(this.describing);
    this.describing = setTimeout(() => {
      if (this.isClosed || !this.data) return;
      if (this.sheet) {
        this.sheet.paint(); // a busy machine may not have painted the latest view yet
        this.buttons.showOnMap(this.scene, this.sheet.marks, this.sheet.view);
      }
      const text = summaryOf(this.data, this.hour, this.clock);
      if (this.summary.textContent !== text) this.summary.textContent = text;
    }, REST_MS);
  }

  hover(point) {
    const mark = this.sheet.markAt(point);
    const curve = mark ? null : this.sheet.curveAt(point);
    this.map.map.getCanvas().style.cursor = mark ? "pointer" : "";
    const outlines = mark || curve ? [] : (this.areaTools?.outlinesAt(point) ?? []);
    this.tip.hidden = !mark && !curve && !outlines.length;
    if (this.tip.hidden) return;
    let lines = outlines;
    if (mark) lines = linesOfMark(this.data, this.hour, this.wanted.limit, mark);
    else if (curve) lines = linesOfCurve(this.data, this.clock, curve);
    this.tip.replaceChildren(...lines.map((line) => element("div", {}, line)));
    const { clientWidth: width, clientHeight: height } = this.frame;
    const [wide, high] = [this.tip.offsetWidth, this.tip.offsetHeight];
    const left = point.x + 14 + wide > width ? point.x - 14 - wide : point.x + 14;
    const top = point.y + 14 + high > height ? point.y - 14 - high : point.y + 14;
    this.tip.style.left = `${Math.max(0, left)}px`;
    this.tip.style.top = `${Math.max(0, top)}px`;
  }

  // Select a place, or zoom in until several places separate.
  press({ present }, isAdded) {
    if (present.length > 1 && this.zoomInto(present)) return;
    const ids = present.map((place) => this.data.ids[place]);
    const areSelected = ids.every((id) => this.selected.has(id));
    const isOnly = areSelected && this.selected.size === ids.length;
    if (isAdded) for (const id of ids) areSelected ? this.selected.delete(id) : this.selected.add(id);
    else this.selected = new Set(isOnly ? [] : ids);
    this.draw();
    this.describe();
    this.pressed = JSON.stringify([...this.selected]);
    this.report("select", [...this.selected]);
  }

  // Show the surroundings of points, without moving further away than the view is.
  moveToPoints(points) {
    if (!this.map) return;
    const { map } = this.map;
    const box = boundsOf(points.map(([longitude]) => longitude), points.map(([, latitude]) => latitude));
    const { center, zoom } = map.cameraForBounds(box, { padding: 60, maxZoom: Math.max(SURROUNDINGS, map.getZoom()) });
    map.easeTo({ center, zoom, duration: 300 });
  }

  zoomInto(places) {
    const { map } = this.map;
    const [west, south, east, north] = this.boundsOf(places);
    if ((east - west < SAME_SPOT && north - south < SAME_SPOT) || map.getZoom() >= map.getMaxZoom()) return false;
    const { center, zoom } = map.cameraForBounds([west, south, east, north], { padding: 60 });
    map.easeTo({ center, zoom: Math.min(map.getMaxZoom(), Math.max(zoom, map.getZoom() + 1)), duration: 300 });
    return true;
  }

  boundsOf(places) {
    return boundsOf(
      places.map((place) => this.data.longitude[place]),
      places.map((place) => this.data.latitude[place]),
    );
  }

  // Return the bounds of all places with people in this hour, else in any hour, else the world.
  boundsOfAll() {
    const now = this.data.largestAt(this.hour);
    const places = now.length ? now : [...this.clusters.ranked];
    return places.length ? this.boundsOf(places) : WORLD;
  }

  fitAll() {
    this.map.fit(this.boundsOfAll());
  }

  // Return [west, south, east, north] for the server.
  currentView() {
    const box = this.map.map.getBounds();
    const world = Math.floor((box.getWest() + 180) / 360) * 360;
    const wide = box.getEast() - box.getWest() >= 360;
    const [west, east] = wide ? [-180, 180] : [box.getWest() - world, box.getEast() - world];
    const corners = [west, box.getSouth(), east > 180 ? east - 360 : east, box.getNorth()];
    return corners.map((degrees) => Math.round(degrees * 1e4) / 1e4);
  }

  reportView() {
    const view = this.currentView();
    if (!this.wanted.reportsView || JSON.stringify(view) === this.reportedView) return;
    this.reportedView = JSON.stringify(view);
    this.report("view", view);
  }

  // If two reports are sent at once, only the second arrives. So each one repeats the latest ones.
  report(kind, value) {
    this.reports = [...this.reports.slice(-20), [performance.now(), kind, value]];
    this.send("presses", this.reports);
  }

  close() {
    this.isClosed = true;
    this.scrubber.close();
    this.map?.map.remove();
    this.root.remove();
  }
}

// Resolves once an element has a size: the stylesheet may load later than this script.
const sized = (box) =>
  new Promise((resolve) => {
    new ResizeObserver((_, observer) => {
      if (!box.clientHeight) return;
      observer.disconnect();
      resolve();
    }).observe(box);
  });

const unwrapped = ([west, south, east, north]) => [west, south, east < west ? east + 360 : east, north];
