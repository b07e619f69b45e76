// Hours as people read them: "Fri, Nov 20, 14:00 UTC" or "Fri, Nov 20, 15:00 browser time (14:00 UTC)".

export class Clock {
  constructor(clock) {
    const timeZone = clock === "UTC" ? "UTC" : undefined;
    const format = (parts, zone = timeZone) => new Intl.DateTimeFormat("en-US", { timeZone: zone, ...parts });
    const hourAndMinute = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    this.isLocal = clock !== "UTC";
    this.dayFormat = format({ weekday: "short", month: "short", day: "numeric" });
    this.shortDayFormat = format({ weekday: "short", day: "numeric" });
    this.timeFormat = format(hourAndMinute);
    this.utcFormat = format(hourAndMinute, "UTC");
  }

  day(moment) {
    return this.dayFormat.format(moment);
  }

  shortDay(moment) {
    const parts = Object.fromEntries(this.shortDayFormat.formatToParts(moment).map(({ type, value }) => [type, value]));
    return `${parts.weekday} ${parts.day}`;
  }

  time(moment) {
    const utc = `${this.utcFormat.format(moment)} UTC`;
    return this.isLocal ? `${this.timeFormat.format(moment)} browser time (${utc})` : utc;
  }

  dayAndTime(moment) {
    return `${this.day(moment)}, ${this.time(moment)}`;
  }
}
