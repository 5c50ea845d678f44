/** Time factors of the deliveries, shared by both servers. */

/**
 * Clock speed against the wall clock: couriers are assigned seconds after a creation, and no round should wait that
 * long.
 */
export const deliveryClockSpeed = 10

/** Speed of couriers against reality: so slow that none arrives during the measurement. */
export const courierPace = 0.0001
