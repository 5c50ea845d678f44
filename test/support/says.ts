/**
 * What a message must say: orders, statuses, times, figures. The words between them are free, and belong to no test.
 */

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)

/** Matches a message that says these things in this order. */
export const says = (...things: readonly (string | RegExp)[]): RegExp =>
  new RegExp(
    things.map((each) => (typeof each === 'string' ? escaped(each) : each.source)).join('.*'),
  )
