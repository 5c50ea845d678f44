/**
 * The mouse: the wheel scrolls what is under it, a click chooses a row or presses a key, a second click opens the row.
 */
import type { MouseReport } from '../../../core/runtime/mouse-input.ts'
import { paneIds } from '../model/layout.ts'
import type { Message } from '../model/message.ts'
import type { Model } from '../model/model.ts'
import { cellTarget } from '../view/areas.ts'
import type { Glyphs } from '../view/text/glyphs.ts'
import type { KeyPress } from './key-press.ts'

/** What an event of the mouse does. */
export interface PointerOutcome {
  readonly messages?: readonly Message[]
  readonly press?: KeyPress
}

/** Rows for each step of the wheel. */
const wheelRows = 3

/** Two clicks on the same row within this time, in ms, are a double click. */
const doubleClickMs = 500

const pressOf = (key: string): KeyPress => (key.length === 1 ? { key, text: key } : { key })

function scrolled(model: Model, event: MouseReport, glyphs: Glyphs): PointerOutcome {
  const area = cellTarget(model, glyphs, event.column, event.row)?.area
  const by = event.kind === 'wheel-up' ? -wheelRows : wheelRows
  const motion = { kind: 'wheel', by } as const
  if (area === 'overlay') return { messages: [{ kind: 'moved', motion }] }
  // Pane 4 shows all of one order, and has no rows to scroll.
  const pane = area === 'order' ? undefined : paneIds.find((id) => id === area)
  return pane ? { messages: [{ kind: 'moved', motion, pane }] } : {}
}

/** Responds to the mouse. It remembers the last click, to tell a second one. */
export function createPointer(
  glyphs: Glyphs,
): (model: Model, event: MouseReport, now: number) => PointerOutcome {
  let last: { readonly where: string; readonly at: number } | undefined

  function clicked(model: Model, event: MouseReport, now: number): PointerOutcome {
    const target = cellTarget(model, glyphs, event.column, event.row)
    const before = last
    last = undefined
    if (!target) return {}
    const { area, row, key } = target
    if (key !== undefined) return { press: pressOf(key) }
    // An open question is answered by its keys alone; the palette has rows.
    const isAsked = model.prompt !== undefined && model.prompt.kind !== 'palette'
    if (isAsked || area === 'header' || area === 'footer') return {}
    const where = `${area} ${row}`
    const isSecond = before?.where === where && now - before.at <= doubleClickMs
    if (isSecond && (row !== undefined || area === 'order')) return { press: { key: 'enter' } }
    last = { where, at: now }
    return { messages: [{ kind: 'clicked', area, ...(row === undefined ? {} : { row }) }] }
  }

  return (model, event, now) =>
    event.kind === 'press' ? clicked(model, event, now) : scrolled(model, event, glyphs)
}
