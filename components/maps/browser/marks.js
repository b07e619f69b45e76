// Draws a mark: color and ring show the status, area and number the people, and a sign that the limit is exceeded.

import { element } from "./dom.js";

const SINGLE_PX = 6;
const TURN = 2 * Math.PI;
const SAMPLE_PX = 30;

// Present: filled. Arriving: a thick ring. Leaving: filled, with a ring around it. Possible: a dashed ring.
const STYLES = [
  { isFilled: true },
  { ringWidth: 3.5 },
  { isFilled: true, outerRing: 3.5 },
  { ringWidth: 2, dash: [3, 2.5] },
];

// The radius that leaves room for the count.
export const radiusFor = (text, status) => (text ? 5 + 3.3 * text.length + (STYLES[status].ringWidth ?? 0) : SINGLE_PX);

export function drawMark(pen, x, y, { radius, status, text, isOverLimit, isSelected }, colors, font) {
  const { isFilled, ringWidth = 0, outerRing = 0, dash = [] } = STYLES[status];
  const color = colors.statuses[status];
  disc(pen, x, y, radius + 1.5 + outerRing, colors.casing);
  if (outerRing) ring(pen, x, y, radius + outerRing - 0.5, color, 1.5);
  if (isFilled) disc(pen, x, y, radius, color);
  else ring(pen, x, y, radius - ringWidth / 2, color, ringWidth, dash);
  if (isOverLimit) ring(pen, x, y, radius + outerRing + 3.5, colors.limit, 3);
  if (isSelected) {
    ring(pen, x, y, radius + outerRing + 6.5, colors.casing, 4);
    ring(pen, x, y, radius + outerRing + 6.5, colors.ink, 2);
  }
  if (text) {
    pen.font = `650 ${Math.max(11, Math.min(15, radius * 0.7))}px ${font}`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillStyle = isFilled ? colors.on_mark : colors.ink;
    pen.fillText(text, x, y + 0.5);
  }
  if (isOverLimit) {
    const [bx, by] = [x + radius * 0.75 + 3, y - radius * 0.75 - 3];
    disc(pen, bx, by, 7, colors.limit);
    pen.font = `700 11px ${font}`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillStyle = colors.on_mark;
    pen.fillText("!", bx, by + 0.5);
  }
}

function disc(pen, x, y, radius, color) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, TURN);
  pen.fillStyle = color;
  pen.fill();
}

function ring(pen, x, y, radius, color, width, dash = []) {
  pen.beginPath();
  pen.arc(x, y, Math.max(radius, 1), 0, TURN);
  pen.setLineDash(dash);
  pen.lineWidth = width;
  pen.strokeStyle = color;
  pen.stroke();
  pen.setLineDash([]);
}

// The legend below the map.
export function legendOf(colors, limit) {
  const entries = [
    ["There", { status: 0 }],
    ["Arriving", { status: 1 }],
    ["Leaving", { status: 2 }],
    ["Possible", { status: 3 }],
  ];
  if (limit !== null) entries.push([`More than ${limit}`, { status: 0, isOverLimit: true }]);
  return entries.map(([label, mark]) => {
    const canvas = element("canvas", { "aria-hidden": "true" });
    const dots = window.devicePixelRatio || 1;
    [canvas.width, canvas.height] = [SAMPLE_PX * dots, SAMPLE_PX * dots];
    const pen = canvas.getContext("2d");
    pen.scale(dots, dots);
    drawMark(pen, SAMPLE_PX / 2 - 1, SAMPLE_PX / 2 + 1, { radius: 6, ...mark }, colors, "sans-serif");
    return element("li", {}, canvas, label);
  });
}
