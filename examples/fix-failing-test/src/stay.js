const day = 24 * 60 * 60 * 1000;

/** A stay from the day of arrival to the day of departure, both as `YYYY-MM-DD`. */
export function createStay(guest, arrival, departure) {
  if (Date.parse(arrival) >= Date.parse(departure)) {
    throw new RangeError(`${guest} cannot leave on ${departure}, before the first night.`);
  }
  return { guest, arrival, departure };
}

export function nights(stay) {
  return (Date.parse(stay.departure) - Date.parse(stay.arrival)) / day;
}

/** Whether two stays need the same room on the same night. */
export function overlaps(one, other) {
  return one.arrival <= other.departure && other.arrival <= one.departure;
}
