// Places that are close together at a zoom are one mark. Marks depend on the places and the zoom alone, so they stay
// where they are while the hour changes.

import { radiusFor } from "./marks.js";
import { TILE, across, down } from "./world.js";

const RADIUS_PX = 40;
const LEVELS_PER_ZOOM = 2;
const [LARGEST_RADIUS, LARGEST_FACTOR] = [27, 5];

export class Clusters {
  constructor(data) {
    this.data = data;
    this.x = Float64Array.from(data.longitude, across);
    this.y = Float64Array.from(data.latitude, down);
    this.ranked = Int32Array.from({ length: data.places }, (_, place) => place)
      .filter((place) => data.totals[place] > 0)
      .sort((one, other) => data.totals[other] - data.totals[one]);
    this.levels = new Map();
  }

  levelAt(zoom) {
    const step = Math.floor(zoom * LEVELS_PER_ZOOM);
    let level = this.levels.get(step);
    if (!level) {
      level = this.group(step / LEVELS_PER_ZOOM);
      this.levels.set(step, level);
    }
    return level;
  }

  // Each place joins the mark of the largest place nearby, which gives the mark its position.
  group(zoom) {
    const reach = RADIUS_PX / (TILE * 2 ** zoom);
    const columns = Math.max(1, Math.floor(1 / reach));
    const cells = new Map();
    const cellOf = (column, row) => row * columns + ((column % columns) + columns) % columns;
    const clusters = [];
    const clusterOf = new Int32Array(this.data.places).fill(-1);
    for (const place of this.ranked) {
      const [x, y] = [this.x[place], this.y[place]];
      const [column, row] = [Math.floor(x * columns), Math.floor(y * columns)];
      let [nearest, distance] = [-1, reach];
      for (let dy = -1; dy <= 1; dy++) {
        for (let dx = -1; dx <= 1; dx++) {
          for (const number of cells.get(cellOf(column + dx, row + dy)) ?? []) {
            const away = x - clusters[number].x;
            const apart = Math.hypot(away - Math.round(away), y - clusters[number].y);
            if (apart < distance) [nearest, distance] = [number, apart];
          }
        }
      }
      if (nearest < 0) {
        nearest = clusters.length;
        clusters.push({ number: nearest, x, y, places: [] });
        const cell = cellOf(column, row);
        if (!cells.has(cell)) cells.set(cell, []);
        cells.get(cell).push(nearest);
      }
      clusters[nearest].places.push(place);
      clusterOf[place] = nearest;
    }
    return new Level(this, clusters, clusterOf);
  }
}

// The marks of one zoom. `count` fills in what changes with the hour.
class Level {
  constructor({ data, x, y }, clusters, clusterOf) {
    Object.assign(this, { data, x, y });
    this.clusters = clusters;
    this.clusterOf = clusterOf;
    this.factor = Math.min(LARGEST_RADIUS / Math.sqrt(Math.max(1, this.largest())), LARGEST_FACTOR);
  }

  // The most people that a mark has in any hour: the scale stays the same while the hour changes.
  largest() {
    const { data, clusterOf } = this;
    const sums = new Uint32Array(this.clusters.length);
    let largest = 0;
    for (let hour = 0; hour < data.hours; hour++) {
      const people = data.peopleAt(hour);
      sums.fill(0);
      for (let place = 0; place < data.places; place++) if (people[place]) sums[clusterOf[place]] += people[place];
      for (const sum of sums) if (sum > largest) largest = sum;
    }
    return largest;
  }

  count(hour, limit) {
    const people = this.data.peopleAt(hour);
    const statuses = this.data.statusesAt(hour);
    for (const cluster of this.clusters) {
      const byStatus = [0, 0, 0, 0];
      cluster.isOverLimit = false;
      cluster.present = [];
      for (const place of cluster.places) {
        if (!people[place]) continue;
        cluster.present.push(place);
        byStatus[statuses[place]] += people[place];
        if (limit !== null && people[place] > limit) cluster.isOverLimit = true;
      }
      cluster.people = byStatus[0] + byStatus[1] + byStatus[2] + byStatus[3];
      cluster.status = byStatus.indexOf(Math.max(...byStatus));
      // A mark is at its only place, or at the largest of several.
      const stand = cluster.present.length === 1 ? cluster.present[0] : cluster.places[0];
      [cluster.x, cluster.y] = [this.x[stand], this.y[stand]];
      cluster.text = cluster.people > 1 ? countText(cluster.people) : "";
      cluster.radius = Math.max(radiusFor(cluster.text, cluster.status), this.factor * Math.sqrt(cluster.people));
    }
    return this.clusters.filter((cluster) => cluster.people).sort((one, other) => other.people - one.people);
  }
}

const SHORT = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
const FULL = new Intl.NumberFormat("en-US");
export const countText = (people) => (people < 10_000 ? FULL : SHORT).format(people);
