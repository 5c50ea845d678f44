/** How time runs for the deliveries of both servers. */

/** How much faster than the wall: a courier is found seconds after a creation, and no round should wait for that. */
export const haste = 10

/** How much faster than in the street couriers ride: so slowly that none arrives while it is measured. */
export const pace = 0.0001
