/**
 * Takes mouse reports out of the input of a terminal, in the SGR form (`ESC [ < button ; column ; row M`), before anything
 * reads keys from it. A report may come in pieces, cut at any byte.
 */

/** A report of the mouse: cells from 0 at the top left. */
export interface MouseReport {
  readonly kind: 'press' | 'wheel-up' | 'wheel-down'
  readonly column: number
  readonly row: number
}

const escape = '\u{1b}'
const report = new RegExp(String.raw`${escape}\[<(\d{1,5});(\d{1,5});(\d{1,5})([Mm])`, 'gu')
/** The beginning of a report at the end of a text. */
const unfinished = new RegExp(String.raw`${escape}(?:\[(?:<[\d;]{0,17})?)?$`, 'u')
/** Shift, alt and ctrl. */
const modifiers = 4 | 8 | 16

const kinds: Readonly<Record<number, MouseReport['kind']>> = {
  0: 'press',
  64: 'wheel-up',
  65: 'wheel-down',
}

export interface MouseFilter {
  /** The text without reports; what may be the beginning of one is held back. */
  readonly push: (text: string) => string
  /** Whether what is held back may be keys: escape, or alt with a bracket. */
  readonly mayBeKeys: () => boolean
  /** What is held back as keys. The rest of a report that follows all the same is still taken out. */
  readonly release: () => string
  /** Waits no longer for the rest of a report whose beginning was released; answers what is held back of it. */
  readonly forget: () => string
}

export function createMouseFilter(onReport: (report: MouseReport) => void): MouseFilter {
  let held = ''
  /** Number of characters of what is held that were released. */
  let releasedCount = 0

  function take(_whole: string, ...[button, column, row, end]: readonly string[]): string {
    const kind = kinds[Number(button) & ~modifiers]
    if (kind !== undefined && end === 'M')
      onReport({ kind, column: Number(column) - 1, row: Number(row) - 1 })
    return ''
  }

  function release(): string {
    const keys = held.slice(releasedCount)
    releasedCount = held.length
    return keys
  }

  return {
    push(text) {
      const before = held
      const input = before + text
      const plain = input.replaceAll(report, take)
      held = unfinished.exec(plain)?.[0] ?? ''
      const isStillHeld = plain.length === held.length && held.startsWith(before)
      const done = plain.slice(0, plain.length - held.length)
      // What was released is in the output already, unless it turned out to be the beginning of a report.
      const keys = done.startsWith(before.slice(0, releasedCount))
        ? done.slice(releasedCount)
        : done
      releasedCount = isStillHeld ? releasedCount : 0
      return keys
    },
    mayBeKeys: () => held.length > releasedCount && held.length <= 2,
    release,
    forget() {
      if (releasedCount === 0) return ''
      const keys = release()
      held = ''
      releasedCount = 0
      return keys
    },
  }
}
