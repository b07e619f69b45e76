// Web Mercator in a square of side 1, as in MapLibre, and the bounds of a set of points.

export const TILE = 512; // pixels of the whole world at zoom 0

const MAX_LATITUDE = 85.0511;
const clamped = (latitude) => Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude));

export const across = (longitude) => longitude / 360 + 0.5;
export const down = (latitude) =>
  0.5 - Math.log(Math.tan(Math.PI / 4 + (clamped(latitude) * Math.PI) / 360)) / (2 * Math.PI);

export const longitude = (x) => (x - 0.5) * 360;
export const latitude = (y) => (Math.atan(Math.exp((0.5 - y) * 2 * Math.PI)) * 360) / Math.PI - 90;

// The bounds [west, south, east, north] of points, across the date line if that is much shorter. East can exceed 180.
export function boundsOf(longitudes, latitudes) {
  const sorted = Float64Array.from(longitudes).sort();
  let widest = 360 - (sorted.at(-1) - sorted[0]);
  let [west, east] = [sorted[0], sorted.at(-1)];
  const usual = east - west;
  for (let next = 1; next < sorted.length; next++) {
    const gap = sorted[next] - sorted[next - 1];
    if (gap > widest && 360 - gap < 0.8 * usual) [widest, west, east] = [gap, sorted[next], sorted[next - 1] + 360];
  }
  let [south, north] = [90, -90];
  for (const latitude of latitudes) [south, north] = [Math.min(south, latitude), Math.max(north, latitude)];
  return [west, south, east, north];
}

// The visible part of the world. The base map repeats horizontally. Everything on it is drawn once, nearest to the
// center.
export class Viewport {
  constructor(center, zoom, width, height) {
    this.zoom = zoom;
    this.width = width;
    this.height = height;
    this.scale = TILE * 2 ** zoom;
    this.left = across(center.lng) * this.scale - width / 2;
    this.top = down(center.lat) * this.scale - height / 2;
    this.center = across(center.lng);
  }

  static of(map) {
    const container = map.getContainer();
    return new Viewport(map.getCenter(), map.getZoom(), container.clientWidth, container.clientHeight);
  }

  // The pixel of a point of the square.
  nearest(x, y) {
    return [(x - Math.round(x - this.center)) * this.scale - this.left, y * this.scale - this.top];
  }

  includes([x, y], margin = 0) {
    return x >= -margin && y >= -margin && x <= this.width + margin && y <= this.height + margin;
  }
}
