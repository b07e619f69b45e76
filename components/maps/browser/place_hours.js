// Reads the people by place and hour that domain/expected_locations/place_hours_payload.py writes.

const TYPES = { f4: Float32Array, i4: Int32Array, i2: Int16Array, u2: Uint16Array, u1: Uint8Array };
const MINUTE_MS = 60_000;

export async function readPlaceHours(compressed) {
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const plain = await new Response(stream).arrayBuffer();
  const headerSize = new DataView(plain).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(plain, 4, headerSize)));
  const arrays = {};
  let offset = 4 + headerSize;
  for (const [name, type, size] of header.arrays) {
    arrays[name] = new TYPES[type](plain, offset, size);
    offset += arrays[name].byteLength;
  }
  const places = header.ids.length;
  for (const table of [arrays.people, arrays.status]) {
    for (let cell = places; cell < table.length; cell++) table[cell] += table[cell - places];
  }
  return new PlaceHours(header, arrays);
}

class PlaceHours {
  constructor(header, arrays) {
    Object.assign(this, arrays);
    this.hours = header.hours;
    this.places = header.ids.length;
    this.ids = header.ids;
    this.labels = header.labels;
    this.firstHour = header.firstHour * 1000;
    this.moment = header.moment;
    this.totals = this.sumByPlace();
  }

  // The people at each place over all hours, which rank the places independently of the hour.
  sumByPlace() {
    const totals = new Float64Array(this.places);
    for (let cell = 0, place = 0; cell < this.people.length; cell++) {
      totals[place] += this.people[cell];
      place = place + 1 === this.places ? 0 : place + 1;
    }
    return totals;
  }

  timeOf(hour) {
    return this.firstHour + this.minuteOf(hour) * MINUTE_MS;
  }

  // Minutes since the first hour. The first hour can start at any minute.
  minuteOf(hour) {
    return this.moment !== null && Math.floor(this.moment / 60) === hour ? this.moment : hour * 60;
  }

  peopleAt(hour) {
    return this.people.subarray(hour * this.places, (hour + 1) * this.places);
  }

  statusesAt(hour) {
    return this.status.subarray(hour * this.places, (hour + 1) * this.places);
  }

  // The arcs of the people who are in transit at the time of the hour.
  arcsAt(hour) {
    const minute = this.minuteOf(hour);
    const arcs = [];
    for (let arc = 0; arc < this.departs.length; arc++) {
      if (this.departs[arc] <= minute && minute < this.arrives[arc]) arcs.push(arc);
    }
    return arcs;
  }

  // The places with people in that hour, the largest first.
  largestAt(hour) {
    const people = this.peopleAt(hour);
    const places = [];
    for (let place = 0; place < this.places; place++) if (people[place]) places.push(place);
    return places.sort((one, other) => people[other] - people[one]);
  }
}
