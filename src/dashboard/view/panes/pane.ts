/** What every pane is given and what it answers, and what several of them print alike. */
import type { Glyphs } from '../text/glyphs.ts'
import type { PaneId, Rect } from '../../model/layout.ts'
import type { Model } from '../../model/model.ts'
import { type Role, roles, shortName } from '../../../protocol/role.ts'
import { cells } from '../text/cells.ts'
import { type Row, row, span } from '../text/row.ts'

export interface PaneInput {
  readonly model: Model
  readonly rect: Rect
  readonly glyphs: Glyphs
}

/** A pane: the model and a place in, rows of text out, as many as the place has at most. */
export interface Pane {
  readonly id: PaneId
  readonly rows: (input: PaneInput) => readonly Row[]
}

/** What an empty pane says: how it is, and the key that changes that. */
export const hints = (width: number, ...sentences: readonly string[]): readonly Row[] =>
  sentences.flatMap((sentence) =>
    wordWrap(sentence, Math.max(1, width - 2)).map((line) => row(span(` ${line}`, 'muted'))),
  )

/** A text in lines of so many cells at most, broken between words. */
export function wordWrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (cells(longer) <= width || line === '') line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}

/** An order's identifier in the cells that a list can spare: the beginning tells orders apart. */
export const shortId = (orderId: string | undefined): string =>
  orderId === undefined ? '' : orderId.length > 13 ? orderId.slice(0, 8) : orderId

/** A role's short name; anybody else as they are. */
export const byText = (by: string): string =>
  roles.some((role) => role === by) ? shortName[by as Role] : by
