// Names on the map: places first, then countries, cities and seas as the zoom allows. Names never cover marks or other
// names.

import { fileUrl } from "./ground.js";
import { across, down } from "./world.js";

const GAP = 4;
const LONGEST = 30;
const MOST_PLACES = 60;

const STYLES = {
  place: { size: 12, weight: 600 },
  country: { size: 11, weight: 600, spacing: "0.08em", isUpper: true, isFaint: true },
  city: { size: 12, weight: 450, hasDot: true, isFaint: true },
  sea: { size: 12, weight: 400, slant: "italic", isFaint: true, isSea: true },
};

let geography = []; // loaded once per page, the most important first
export const readGeography = async () => {
  if (geography.length) return;
  const answer = await fetch(fileUrl("map/names.json"));
  geography = (await answer.json()).map(([kind, name, longitude, latitude, zoom]) => ({
    kind,
    name,
    x: across(longitude),
    y: down(latitude),
    zoom,
  }));
};

const widths = new Map();
function widthOf(pen, text, font) {
  const key = `${font}/${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size > 20_000) widths.clear();
    width = pen.measureText(text).width;
    widths.set(key, width);
  }
  return width;
}

export const shortName = (label) => (label.length > LONGEST ? `${label.slice(0, LONGEST - 1).trimEnd()}…` : label);

// Boxes [left, top, right, bottom] in grid cells, so that each is compared only with its neighbors.
class Boxes {
  constructor() {
    this.cells = new Map();
  }

  *near([left, top, right, bottom]) {
    for (let column = Math.floor(left / 64); column <= Math.floor(right / 64); column++) {
      for (let row = Math.floor(top / 64); row <= Math.floor(bottom / 64); row++) yield column * 4096 + row;
    }
  }

  add(box) {
    for (const cell of this.near(box)) {
      if (!this.cells.has(cell)) this.cells.set(cell, []);
      this.cells.get(cell).push(box);
    }
  }

  isFree(box) {
    for (const cell of this.near(box)) {
      for (const other of this.cells.get(cell) ?? []) {
        if (other[0] < box[2] && box[0] < other[2] && other[1] < box[3] && box[1] < other[3]) return false;
      }
    }
    return true;
  }
}

// Draw all names that fit. `marks` are [x, y, cluster] in pixels, the most people first.
export function drawNames(pen, view, marks, data, colors, font) {
  const taken = new Boxes();
  taken.add([view.width - 150, 0, view.width, 80]); // the buttons
  taken.add([0, view.height - 40, 130, view.height]); // the scale
  if (view.width > 560) taken.add([view.width - 470, view.height - 42, view.width, view.height]); // the legend
  for (const [x, y, { radius }] of marks) taken.add([x - radius - 2, y - radius - 2, x + radius + 2, y + radius + 2]);
  const named = marks.filter(([, , cluster]) => cluster.present.length === 1).slice(0, MOST_PLACES);
  for (const [x, y, cluster] of named) {
    const name = shortName(data.labels[cluster.present[0]]);
    drawName(pen, view, taken, { kind: "place", name }, x, y, cluster.radius, colors, font);
  }
  for (const entry of geography) {
    if (entry.zoom > view.zoom) continue;
    const at = view.nearest(entry.x, entry.y);
    if (view.includes(at, 60)) drawName(pen, view, taken, entry, ...at, 0, colors, font);
  }
}

function drawName(pen, view, taken, { kind, name }, x, y, radius, colors, font) {
  const style = STYLES[kind];
  const text = style.isUpper ? name.toUpperCase() : name;
  pen.font = `${style.slant ?? "normal"} ${style.weight} ${style.size}px ${font}`;
  pen.letterSpacing = style.spacing ?? "0px";
  const width = widthOf(pen, text, pen.font + pen.letterSpacing);
  const half = style.size / 2 + 2;
  const away = radius + GAP + (style.hasDot ? 3 : 0);
  const spots =
    kind === "place" || style.hasDot
      ? [
          [x + away, y],
          [x - away - width, y],
          [x - width / 2, y + away + half],
          [x - width / 2, y - away - half],
        ]
      : [[x - width / 2, y]];
  for (const [left, middle] of spots) {
    const box = [left - 2, middle - half, left + width + 2, middle + half];
    if (box[0] < 0 || box[2] > view.width || box[1] < 0 || box[3] > view.height || !taken.isFree(box)) continue;
    taken.add(box);
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    pen.lineJoin = "round";
    pen.lineWidth = 3;
    pen.strokeStyle = style.isSea ? colors.sea : colors.land;
    pen.globalAlpha = style.isFaint ? 0.72 : 1;
    pen.strokeText(text, left, middle);
    pen.fillStyle = colors.ink;
    pen.fillText(text, left, middle);
    if (style.hasDot) {
      pen.beginPath();
      pen.arc(x, y, 2, 0, 2 * Math.PI);
      pen.fill();
      taken.add([x - 3, y - 3, x + 3, y + 3]);
    }
    break;
  }
  pen.globalAlpha = 1;
  pen.letterSpacing = "0px";
}
