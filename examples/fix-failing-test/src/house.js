import { nights, overlaps } from "./stay.js";

/** The rooms of a house and the stays booked in them. */
export class House {
  #rooms;

  constructor(rooms) {
    this.#rooms = new Map(rooms.map(({ name, price }) => [name, { price, stays: [] }]));
  }

  /** Rooms nobody else needs during the stay, the cheapest first. */
  freeRooms(stay) {
    return [...this.#rooms]
      .filter(([, room]) => !room.stays.some((booked) => overlaps(booked, stay)))
      .toSorted(([, one], [, other]) => one.price - other.price)
      .map(([name]) => name);
  }

  /** Books the room and gives the price of the whole stay. */
  book(name, stay) {
    const room = this.#rooms.get(name);
    if (room === undefined) {
      throw new RangeError(`There is no room ${name}.`);
    }
    const taken = room.stays.find((booked) => overlaps(booked, stay));
    if (taken !== undefined) {
      throw new Error(`${name} is taken by ${taken.guest} until ${taken.departure}.`);
    }
    room.stays.push(stay);
    return room.price * nights(stay);
  }
}
