// Describes a mark or an arc as text, for tooltips, keyboard users, and screen readers.

import { count, peopleCount, placeCount } from "./dom.js";

const STATUSES = ["there", "arriving", "leaving", "possibly there"];
const MOST_NAMES = 4;

// The lines about a mark: its name, its people, and the largest of its places if it has several.
export function linesOfMark(data, hour, limit, { present, people }) {
  const counts = data.peopleAt(hour);
  const lines = [present.length === 1 ? data.labels[present[0]] : placeCount(present.length), peopleCount(people)];
  if (present.length === 1) {
    // A place has the status of its largest group alone.
    lines.push(`${people > 1 ? "Largest group" : "Status"}: ${STATUSES[data.statusesAt(hour)[present[0]]]}`);
  } else {
    const largest = [...present].sort((one, other) => counts[other] - counts[one]);
    for (const place of largest.slice(0, MOST_NAMES)) lines.push(`${data.labels[place]}: ${counts[place]}`);
    if (largest.length > MOST_NAMES) lines.push(`and ${count(largest.length - MOST_NAMES)} more`);
  }
  const over = limit === null ? [] : present.filter((place) => counts[place] > limit);
  if (over.length) lines.push(`Over the limit of ${peopleCount(limit)}`);
  return lines;
}

export function linesOfCurve(data, clock, { people, arcs }) {
  const lines = [`${peopleCount(people)} in transit`];
  for (const arc of arcs.slice(0, MOST_NAMES)) {
    const [from, to] = [data.labels[data.origin[arc]], data.labels[data.destination[arc]]];
    const arrival = clock.dayAndTime(data.firstHour + data.arrives[arc] * 60_000);
    lines.push(`${from} to ${to}: ${peopleCount(data.arcPeople[arc])}, arrival ${arrival}`);
  }
  if (arcs.length > MOST_NAMES) lines.push(`and ${arcs.length - MOST_NAMES} more`);
  return lines;
}

// One sentence about an hour, with its largest places.
export function summaryOf(data, hour, clock) {
  const people = data.peopleAt(hour);
  const largest = data.largestAt(hour);
  const names = largest.slice(0, 3).map((place) => `${data.labels[place]} (${people[place]})`);
  const most = names.length ? ` Most people: ${names.join(", ")}.` : "";
  const moment = clock.dayAndTime(data.timeOf(hour));
  return `${moment}: ${peopleCount(data.atPlaces[hour])} at places, ${placeCount(largest.length)} on the map.${most}`;
}
