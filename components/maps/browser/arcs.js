// People in transit: a curve between two marks, as wide as it has people, with an arrow where they are now.

const BEND = 0.18;
const MOST_CURVES = 400;
const END_PX = 3;

// One curve per pair of marks, the most people first.
export function curvesAt(data, level, hour) {
  const curves = new Map();
  for (const arc of data.arcsAt(hour)) {
    const [from, to] = [level.clusterOf[data.origin[arc]] ?? -1, level.clusterOf[data.destination[arc]] ?? -1];
    if (from < 0 || to < 0 || from === to) continue;
    const pair = `${from} ${to}`;
    const curve = curves.get(pair) ?? { from: level.clusters[from], to: level.clusters[to], people: 0, arcs: [] };
    curves.set(pair, curve);
    curve.people += data.arcPeople[arc];
    curve.arcs.push(arc);
  }
  const sorted = [...curves.values()].sort((one, other) => other.people - one.people).slice(0, MOST_CURVES);
  for (const curve of sorted) {
    const [first] = curve.arcs.sort((one, other) => data.arcPeople[other] - data.arcPeople[one]);
    const passed = (data.minuteOf(hour) - data.departs[first]) / (data.arrives[first] - data.departs[first]);
    curve.progress = Math.min(0.9, Math.max(0.1, passed));
    curve.width = Math.min(6, 1.2 + 0.5 * Math.log2(curve.people));
  }
  return sorted;
}

// The points of a curve in pixels, the shorter way around the world, in each copy of the world.
export function pathsOf(curve, view) {
  const east = curve.to.x - curve.from.x;
  const end = curve.from.x + east - Math.round(east);
  const paths = [];
  for (const copy of [-1, 0, 1]) {
    const [fromX, fromY] = [(curve.from.x + copy) * view.scale - view.left, curve.from.y * view.scale - view.top];
    const [toX, toY] = [(end + copy) * view.scale - view.left, curve.to.y * view.scale - view.top];
    const bendX = (fromX + toX) / 2 + (toY - fromY) * BEND;
    const bendY = (fromY + toY) / 2 - Math.abs(toX - fromX) * BEND;
    const [left, right] = [Math.min(fromX, toX, bendX), Math.max(fromX, toX, bendX)];
    const [top, bottom] = [Math.min(fromY, toY, bendY), Math.max(fromY, toY, bendY)];
    if (right < 0 || left > view.width || bottom < 0 || top > view.height) continue;
    paths.push({ fromX, fromY, bendX, bendY, toX, toY });
  }
  return paths;
}

export function pointOn({ fromX, fromY, bendX, bendY, toX, toY }, share) {
  const rest = 1 - share;
  return [
    rest * rest * fromX + 2 * rest * share * bendX + share * share * toX,
    rest * rest * fromY + 2 * rest * share * bendY + share * share * toY,
  ];
}

export function drawCurve(pen, path, { width, progress }, colors) {
  pen.beginPath();
  pen.moveTo(path.fromX, path.fromY);
  pen.quadraticCurveTo(path.bendX, path.bendY, path.toX, path.toY);
  pen.globalAlpha = 0.5;
  pen.lineWidth = width;
  pen.strokeStyle = colors.statuses[1];
  pen.stroke();
  pen.globalAlpha = 1;
  pen.beginPath();
  pen.arc(path.toX, path.toY, END_PX, 0, 2 * Math.PI);
  pen.fillStyle = colors.statuses[1];
  pen.fill();
  const [x, y] = pointOn(path, progress);
  const [beforeX, beforeY] = pointOn(path, progress - 0.02);
  pen.save();
  pen.translate(x, y);
  pen.rotate(Math.atan2(y - beforeY, x - beforeX));
  const size = 4 + width;
  pen.beginPath();
  pen.moveTo(size, 0);
  pen.lineTo(-size * 0.7, size * 0.7);
  pen.lineTo(-size * 0.3, 0);
  pen.lineTo(-size * 0.7, -size * 0.7);
  pen.closePath();
  pen.fillStyle = colors.statuses[1];
  pen.strokeStyle = colors.casing;
  pen.lineWidth = 3;
  pen.lineJoin = "round";
  pen.stroke();
  pen.fill();
  pen.restore();
}

// Return whether a pixel is close to a curve.
export function isNear(path, x, y, reach) {
  for (let step = 0; step <= 24; step++) {
    const [px, py] = pointOn(path, step / 24);
    const [nx, ny] = pointOn(path, Math.min(1, (step + 1) / 24));
    const length = Math.hypot(nx - px, ny - py) || 1;
    const along = Math.max(0, Math.min(1, ((x - px) * (nx - px) + (y - py) * (ny - py)) / length ** 2));
    if (Math.hypot(px + along * (nx - px) - x, py + along * (ny - py) - y) < reach) return true;
  }
  return false;
}
