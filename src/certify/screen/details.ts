/** What covers the overview: a result in full, or the keys. */
import {
  bindingKeysText,
  helpLine,
  keysWidth,
} from '../../terminal/dashboard/keys/documented-key.ts'
import type { Rect } from '../../terminal/dashboard/model/layout.ts'
import { ruledRow } from '../../terminal/dashboard/view/panes/title.ts'
import { wordWrap } from '../../terminal/dashboard/view/text/cells.ts'
import type { Glyphs } from '../../terminal/dashboard/view/text/glyphs.ts'
import { type Row, row, span } from '../../terminal/dashboard/view/text/row.ts'
import { certificationKeyTexts } from './key-texts.ts'
import { innerRows, type CertificationModel, chosenResult } from './model.ts'

/** Rows of the text below its title. */
export const textRows = (model: CertificationModel): number => Math.max(1, innerRows(model) - 1)

/** A line wrapped, with its indentation on every row. */
function wrappedLine(line: string, columns: number): readonly Row[] {
  const text = line.trimStart()
  const indent = ` ${' '.repeat(line.length - text.length)}`
  const width = Math.max(1, columns - indent.length - 1)
  return wordWrap(text, width).map((each) => row(span(`${indent}${each}`)))
}

/** All rows of the open text. */
export function detailRows(model: CertificationModel): readonly Row[] {
  const { columns, ended, view } = model
  if (view === 'help') {
    const width = keysWidth(certificationKeyTexts)
    return certificationKeyTexts.map((key) =>
      helpLine(bindingKeysText(key), key.title, { width: columns, keyWidth: width }),
    )
  }
  const result = chosenResult(model)
  return result && ended ? ended.linesOf(result).flatMap((line) => wrappedLine(line, columns)) : []
}

function titleOf(model: CertificationModel): string {
  if (model.view === 'help') return 'Keys'
  const result = chosenResult(model)
  return result ? `${result.clauses.join(', ')}  ${result.outcome}  ${result.level}` : ''
}

/** The rows that are visible, below their title. */
export function detailsArea(model: CertificationModel, rect: Rect, glyphs: Glyphs): readonly Row[] {
  const rows = detailRows(model)
  const height = textRows(model)
  const top = Math.max(0, Math.min(model.top, rows.length - height))
  const where =
    rows.length > height
      ? [span(`${top + 1}-${Math.min(rows.length, top + height)} of ${rows.length}`, 'muted')]
      : []
  const title = ruledRow({ rect, glyphs }, true, [span(titleOf(model), 'accent')], where)
  return [title, ...rows.slice(top, top + height)]
}
