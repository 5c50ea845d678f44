/**
 * Eight alphanumeric characters for the name of a file that is created exclusively. They need not be unpredictable, and
 * node:crypto takes four milliseconds of a start.
 */
export const uniqueSuffix = (): string =>
  Math.floor(Math.random() * 36 ** 8)
    .toString(36)
    .padStart(8, '0')
