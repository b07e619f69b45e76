// Tools that draw an area on the map: a circle, a rectangle or a freehand polygon, which can be moved, edited and
// cleared.

import { element } from "./dom.js";
import { across, down, latitude, longitude } from "./world.js";

const EARTH_METERS = 6_371_008.8;
const CIRCLE_POINTS = 64;
const [SMALLEST_PX, STEP_PX, TOLERANCE_PX, HANDLE_PX, REACH_PX] = [8, 4, 3, 5, 12];
const MOST_HANDLES = 120;
const MOST_NAMES = 6;
const DASHES_PX = [5, 4];
const DIGITS = 1e5;

export class AreaTools {
  // `names` are those of the tools to offer. `onArea` is called with a GeoJSON polygon, or with null once the area is
  // cleared.
  constructor({ map, frame, sheet, names, onArea }) {
    Object.assign(this, { map, frame, sheet, onArea, outlines: [] });
    this.surface = element("div", { class: "draw", tabindex: "-1", hidden: true });
    this.tools = {
      circle: this.tool("Circle", "◯", "Drag from the center outward"),
      rectangle: this.tool("Rectangle", "▭", "Drag from corner to corner"),
      freehand: this.tool("Freehand", "✎", "Drag around the area"),
      edit: this.tool("Edit", "✥", "Drag a handle, or the area itself"),
    };
    this.clear = element("button", { type: "button" }, "Clear area");
    this.bar = element(
      "div",
      { class: "tools", role: "toolbar", "aria-label": "Draw an area" },
      ...names.map((name) => this.tools[name]),
      this.clear,
    );
    for (const [name, button] of Object.entries(this.tools)) {
      button.onclick = () => this.choose(this.active === name ? null : name);
    }
    this.clear.onclick = () => this.finish(null);
    this.surface.onpointerdown = (event) => this.begin(event);
    this.surface.onpointermove = (event) => this.drag(event);
    this.surface.onpointerup = () => this.end();
    this.surface.onpointercancel = () => this.cancel();
    this.surface.addEventListener("wheel", (event) => this.passOn(event), { passive: false });
    frame.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.active) return;
      event.preventDefault();
      if (this.gesture) this.cancel();
      else this.choose(null);
    });
    frame.append(this.surface, this.bar);
    sheet.drawOver = (pen, view) => this.paint(pen, view);
  }

  tool(label, sign, title) {
    return element(
      "button",
      { type: "button", "aria-pressed": "false", title },
      element("span", { "aria-hidden": "true" }, sign),
      ` ${label}`,
    );
  }

  // Show the server's area, unless the user drew it on this map, and the outlines that cannot be edited.
  show(area, outlines) {
    this.outlines = outlines;
    const text = JSON.stringify(area);
    if (text !== this.reported) this.shape = area ? { kind: "polygon", ring: openRing(area) } : null;
    this.reported = text;
    this.enable();
  }

  choose(name) {
    this.active = name;
    this.gesture = null;
    for (const [each, button] of Object.entries(this.tools)) {
      button.setAttribute("aria-pressed", String(each === name));
    }
    this.surface.hidden = !name;
    this.surface.style.cursor = name === "edit" ? "move" : "crosshair";
    this.sheet.paint();
  }

  enable() {
    this.tools.edit.disabled = this.clear.disabled = !this.shape;
    if (!this.shape && this.active === "edit") this.choose(null);
  }

  begin(event) {
    if (event.button || this.gesture) return;
    this.surface.setPointerCapture(event.pointerId);
    const start = this.pixel(event);
    const handle = this.active === "edit" ? this.handleAt(start) : undefined;
    if (this.active === "edit" && handle === undefined) return;
    this.gesture = { start, handle, before: this.shape, last: start, path: [start] };
  }

  drag(event) {
    const { gesture } = this;
    if (!gesture) return;
    const now = this.pixel(event);
    if (this.active === "edit") this.shape = this.edited(gesture, now);
    else if (this.active === "freehand") {
      if (distance(now, gesture.path.at(-1)) >= STEP_PX) gesture.path.push(now);
      this.shape = { kind: "polygon", ring: gesture.path.map((pixel) => this.degrees(pixel)) };
    } else if (this.active === "rectangle") {
      const [[left, top], [right, bottom]] = [gesture.start, now];
      const corners = [[left, top], [right, top], [right, bottom], [left, bottom]];
      this.shape = { kind: "polygon", ring: corners.map((pixel) => this.degrees(pixel)) };
    } else {
      const center = this.degrees(gesture.start);
      this.shape = { kind: "circle", center, meters: metersBetween(center, this.degrees(now)) };
    }
    gesture.last = now;
    this.sheet.paint();
  }

  end() {
    const { gesture } = this;
    if (!gesture) return;
    const size = Math.max(...gesture.path.map((pixel) => distance(pixel, gesture.start)), distance(gesture.last, gesture.start));
    if (this.active !== "edit" && size < SMALLEST_PX) return this.cancel();
    if (this.active === "freehand") {
      const path = simplified(gesture.path, TOLERANCE_PX);
      if (path.length < 3) return this.cancel();
      this.shape = { kind: "polygon", ring: path.map((pixel) => this.degrees(pixel)) };
    }
    return this.finish(this.shape);
  }

  cancel() {
    this.shape = this.gesture?.before ?? this.shape;
    this.gesture = null;
    this.sheet.paint();
  }

  finish(shape) {
    this.shape = shape;
    this.choose(this.active === "edit" && shape ? "edit" : null);
    this.enable();
    const area = shape ? { type: "Polygon", coordinates: [closedRing(ringOf(shape))] } : null;
    this.reported = JSON.stringify(area);
    this.onArea(area);
  }

  // Return the shape after a handle was dragged. Handle -1 moves the whole area.
  edited({ handle, before, start }, now) {
    const moved = (point) => this.degrees(plus(this.pixelOf(point), minus(now, start)));
    if (before.kind === "circle") {
      if (handle === -1) return { ...before, center: moved(before.center) };
      return { ...before, meters: metersBetween(before.center, this.degrees(now)) };
    }
    const ring = before.ring.map((point, number) => (handle === -1 || handle === number ? moved(point) : point));
    return { kind: "polygon", ring };
  }

  // Return a line of text for each outline at a pixel.
  outlinesAt({ x, y }) {
    const { view } = this.sheet;
    const here = this.outlines.filter(({ rings }) => rings.some((ring) => contains(pixelsIn(view, ring), [x, y])));
    return here.map(({ name, counts }) => (counts ? name : `${name} · not selected`)).slice(0, MOST_NAMES);
  }

  handles() {
    if (!this.shape) return [];
    if (this.shape.kind === "circle") return [ringOf(this.shape)[CIRCLE_POINTS / 4]];
    return this.shape.ring.length <= MOST_HANDLES ? this.shape.ring : [];
  }

  handleAt(pixel) {
    const number = this.handles().findIndex((point) => distance(this.pixelOf(point), pixel) <= REACH_PX);
    if (number >= 0) return number;
    const ring = ringOf(this.shape).map((point) => this.pixelOf(point));
    return contains(ring, pixel) ? -1 : undefined;
  }

  pixel(event) {
    const box = this.surface.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  degrees([x, y]) {
    const { view } = this.sheet;
    return [longitude((x + view.left) / view.scale), latitude((y + view.top) / view.scale)];
  }

  // In the copy of the world in which the middle of the area is nearest to the center of the view.
  pixelOf(point) {
    return pixelIn(this.sheet.view, point, this.shape.kind === "circle" ? this.shape.center : this.shape.ring[0]);
  }

  // The wheel zooms the map below, even while a tool is active.
  passOn(event) {
    event.preventDefault();
    this.map.getCanvas().dispatchEvent(new WheelEvent("wheel", event));
  }

  paint(pen, view) {
    const { colors } = this.sheet.scene;
    for (const { rings, counts } of this.outlines) {
      for (const ring of rings) paintRing(pen, colors, pixelsIn(view, ring), counts);
    }
    if (!this.shape) return;
    paintRing(pen, colors, ringOf(this.shape).map((point) => this.pixelOf(point)));
    if (this.active !== "edit") return;
    for (const [x, y] of this.handles().map((point) => this.pixelOf(point))) {
      if (!view.includes([x, y], HANDLE_PX)) continue;
      pen.beginPath();
      pen.arc(x, y, HANDLE_PX, 0, 2 * Math.PI);
      pen.fillStyle = colors.casing;
      pen.fill();
      pen.stroke();
    }
  }
}

// A point in the copy of the world in which the anchor is nearest to the center of the view.
function pixelIn(view, [lon, lat], [anchor]) {
  const turns = Math.round(across(anchor) - view.center);
  return [(across(lon) - turns) * view.scale - view.left, down(lat) * view.scale - view.top];
}

// In the copy of the world in which the middle of the ring is nearest to the center of the view.
function pixelsIn(view, ring) {
  const longitudes = ring.map(([lon]) => lon);
  const middle = [(Math.min(...longitudes) + Math.max(...longitudes)) / 2];
  return ring.map((point) => pixelIn(view, point, middle));
}

// A ring that does not count is a dashed line without a filling.
function paintRing(pen, colors, ring, counts = true) {
  pen.beginPath();
  ring.forEach(([x, y], number) => pen[number ? "lineTo" : "moveTo"](x, y));
  pen.closePath();
  pen.globalAlpha = 0.12;
  pen.fillStyle = colors.ink;
  if (counts) pen.fill();
  pen.globalAlpha = 1;
  pen.lineWidth = counts ? 2 : 1;
  pen.setLineDash(counts ? [] : DASHES_PX);
  pen.strokeStyle = colors.ink;
  pen.stroke();
  pen.setLineDash([]);
}

const distance = ([x, y], [otherX, otherY]) => Math.hypot(x - otherX, y - otherY);
const plus = ([x, y], [otherX, otherY]) => [x + otherX, y + otherY];
const minus = ([x, y], [otherX, otherY]) => [x - otherX, y - otherY];
const radians = (degrees) => (degrees * Math.PI) / 180;

function metersBetween([lon, lat], [otherLon, otherLat]) {
  const [north, east] = [radians(otherLat - lat) / 2, radians(otherLon - lon) / 2];
  const chord = Math.sin(north) ** 2 + Math.cos(radians(lat)) * Math.cos(radians(otherLat)) * Math.sin(east) ** 2;
  return 2 * EARTH_METERS * Math.asin(Math.min(1, Math.sqrt(chord)));
}

// The corners of an area, in degrees, without the first one again at the end.
function ringOf(shape) {
  if (shape.kind === "polygon") return shape.ring;
  const [lon, lat] = shape.center.map(radians);
  const angle = shape.meters / EARTH_METERS;
  return Array.from({ length: CIRCLE_POINTS }, (_, number) => {
    const bearing = (2 * Math.PI * number) / CIRCLE_POINTS;
    const sine = Math.sin(lat) * Math.cos(angle) + Math.cos(lat) * Math.sin(angle) * Math.cos(bearing);
    const north = Math.asin(sine);
    const east = Math.atan2(
      Math.sin(bearing) * Math.sin(angle) * Math.cos(lat),
      Math.cos(angle) - Math.sin(lat) * Math.sin(north),
    );
    return [((lon + east) * 180) / Math.PI, (north * 180) / Math.PI];
  });
}

// Return a GeoJSON ring: rounded, closed, counterclockwise, starting between -180 and 180 degrees.
function closedRing(ring) {
  const turns = Math.round(ring[0][0] / 360) * 360;
  const rounded = ring.map(([lon, lat]) => [lon - turns, lat].map((degrees) => Math.round(degrees * DIGITS) / DIGITS));
  const doubleArea = rounded.reduce((sum, [x, y], number) => {
    const [nextX, nextY] = rounded[(number + 1) % rounded.length];
    return sum + x * nextY - nextX * y;
  }, 0);
  if (doubleArea < 0) rounded.reverse();
  return [...rounded, rounded[0]];
}

// The outer ring of a polygon, or of the first one of several.
const openRing = ({ type, coordinates }) => (type === "MultiPolygon" ? coordinates[0] : coordinates)[0].slice(0, -1);

function contains(ring, [x, y]) {
  let isInside = false;
  ring.forEach(([x1, y1], number) => {
    const [x2, y2] = ring[(number + 1) % ring.length];
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
  });
  return isInside;
}

// Simplify a path (Douglas–Peucker).
function simplified(path, tolerance) {
  const [first, last] = [path[0], path.at(-1)];
  let [farthest, most] = [0, tolerance];
  for (let number = 1; number < path.length - 1; number++) {
    const away = distanceToLine(path[number], first, last);
    if (away > most) [farthest, most] = [number, away];
  }
  if (!farthest) return path.length > 1 ? [first, last] : path;
  const before = simplified(path.slice(0, farthest + 1), tolerance);
  return [...before.slice(0, -1), ...simplified(path.slice(farthest), tolerance)];
}

function distanceToLine(point, [x1, y1], [x2, y2]) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 1) return distance(point, [x1, y1]);
  return Math.abs((x2 - x1) * (y1 - point[1]) - (x1 - point[0]) * (y2 - y1)) / length;
}
