/** The areas of a certification's screen with their rows: heading, wish, procedures; after the end matrix and results. */
import type { CheckOutcome } from '../judge/judge-checks.ts'
import { isCertified, type ReportedResult } from '../report/report.ts'
import { pluralise } from '../../core/protocol/count-text.ts'
import { escapeControls } from '../../core/traffic/escape-controls.ts'
import { keyRow, keySpans } from '../../terminal/dashboard/keys/documented-key.ts'
import type { Rect } from '../../terminal/dashboard/model/layout.ts'
import type { RowsArea } from '../../terminal/dashboard/runtime/area-screen.tsx'
import { topIndex } from '../../terminal/dashboard/model/lists.ts'
import { ruledRow } from '../../terminal/dashboard/view/panes/title.ts'
import type { Glyphs } from '../../terminal/dashboard/view/text/glyphs.ts'
import {
  columnSpans,
  emptyRow,
  type Row,
  row,
  rowWithEnds,
  type Span,
  span,
  type Tone,
  wrapSpans,
} from '../../terminal/dashboard/view/text/row.ts'
import { ageText } from '../../terminal/dashboard/view/text/time.ts'
import { detailsArea } from './details.ts'
import { certificationFooterKeys } from './keys.ts'
import {
  areaCountsOf,
  innerRows,
  type CertificationModel,
  chosenRow,
  listedResults,
  listLength,
  type PersonWish,
  secondsLeft,
} from './model.ts'

/** An outcome as the heading of its column, in the list, and its tone. */
const outcomeTexts: Readonly<Record<CheckOutcome, readonly [short: string, Tone]>> = {
  passed: ['pass', 'ok'],
  failed: ['fail', 'err'],
  warning: ['warn', 'warn'],
  skipped: ['skip', 'muted'],
  attestation: ['ask', 'info'],
}
const outcomes = Object.entries(outcomeTexts) as [CheckOutcome, readonly [string, Tone]][]

function badge({ ended, isStopping }: CertificationModel, glyphs: Glyphs): Span {
  if (isStopping) return span(` ${glyphs.hold} STOPPING `, 'warn')
  if (!ended) return span(` ${glyphs.live} CERTIFY `, 'accent')
  return isCertified(ended.report)
    ? span(` ${glyphs.done} DONE `, 'ok')
    : span(` ${glyphs.failed} FAILED `, 'err')
}

function headingRow(model: CertificationModel, glyphs: Glyphs): Row {
  const { columns, heading, exchanges, tookMs } = model
  return rowWithEnds(
    columns,
    [badge(model, glyphs), span(` ${heading.role} at ${heading.service}`, 'muted')],
    [span(`${pluralise(exchanges, 'exchange')}  ${ageText(tookMs)} `)],
  )
}

function footerRow(model: CertificationModel): Row {
  const { columns, notice } = model
  const keys = certificationFooterKeys(model)
  const right = keySpans(keys.filter(({ always }) => always === true))
  const hints = keySpans(keys.filter(({ always }) => always !== true))
  return keyRow(notice ? [span(` ${notice.text}`, notice.tone)] : [], hints, right, columns)
}

/** What a person is asked for, with the time that is left. */
function wishRows(
  wish: PersonWish,
  { columns, tookMs }: CertificationModel,
  rect: Rect,
  glyphs: Glyphs,
): readonly Row[] {
  const left = pluralise(secondsLeft(wish, tookMs), 'second')
  return [
    ruledRow({ rect, glyphs }, true, [span('DO THIS NOW', 'warn')], [span(`${left} left`, 'warn')]),
    emptyRow,
    ...wrapSpans([span(` ${glyphs.leads} ${wish.text}`, 'strong')], columns - 1),
    emptyRow,
    row(
      span(' enter ', 'accent'),
      span('when it is done   '),
      span('s ', 'accent'),
      span('skips it'),
    ),
  ]
}

/** The rows of a list that fit, with the one that has the cursor. */
function listRows(
  model: CertificationModel,
  height: number,
  rowOf: (index: number, isChosen: boolean) => Row,
): readonly Row[] {
  const length = listLength(model)
  const chosen = chosenRow(model)
  const top = topIndex(length, height, 0, chosen)
  return Array.from({ length: Math.max(0, Math.min(height, length - top)) }, (_, index) =>
    rowOf(top + index, top + index === chosen),
  )
}

function procedureRows(model: CertificationModel, rect: Rect, glyphs: Glyphs): readonly Row[] {
  const { procedures } = model.heading
  const over = [...model.progress.values()].filter(({ state }) => state !== 'begins').length
  const states = {
    begins: [glyphs.now, 'running', 'accent'],
    done: [glyphs.done, 'done', 'ok'],
    skipped: [glyphs.scheduled, 'skipped', 'warn'],
  } as const
  return [
    ruledRow(
      { rect, glyphs },
      !model.wish,
      [span(`Procedures ${over} of ${procedures.length}`, 'accent')],
      [],
    ),
    ...listRows(model, rect.height - 1, (index, isChosen) => {
      const { name = '', about = '' } = procedures[index] ?? {}
      const { state, why } = model.progress.get(name) ?? {}
      const [sign, word, tone] = state ? states[state] : [glyphs.open, '', 'muted' as const]
      const cells = columnSpans(model.columns - 1, [
        { text: sign, width: 1, tone },
        { text: name, width: 24, tone: isChosen ? 'strong' : 'plain' },
        { text: word, width: 8, tone },
        { text: why === undefined ? about : escapeControls(why), tone: 'muted' },
      ])
      return row(span(isChosen ? '>' : ' '), ...cells)
    }),
  ]
}

/** Cells of the counts in a block of the matrix, with the blanks behind them. */
const countsWidth = 27
/** Rows that the list of results keeps, its title among them. */
const minResultRows = 6

/** Areas side by side in as many blocks as the width has room for. */
function matrixRows(model: CertificationModel, rect: Rect, glyphs: Glyphs): readonly Row[] {
  if (!model.ended) return []
  const areas = areaCountsOf(model.ended.report)
  const { areaWidth, blockWidth, blocks } = matrixSize(model)
  const perBlock = Math.ceil(areas.length / blocks)
  const head = columnSpans(blockWidth, [
    { text: ' ', width: areaWidth },
    ...outcomes.map(([, [text]]) => ({ text, width: 4, align: 'right', tone: 'muted' }) as const),
    { text: '' },
  ])
  const rowOf = (index: number): readonly Span[] => {
    const found = areas[index]
    if (!found) return []
    return columnSpans(blockWidth, [
      { text: ` ${found.area}`, width: areaWidth, tone: 'strong' },
      ...outcomes.map(([outcome, [, tone]]) => {
        const count = found.counts[outcome]
        const text = count === 0 ? glyphs.scheduled : String(count)
        return { text, width: 4, align: 'right', tone: count === 0 ? 'muted' : tone } as const
      }),
      { text: '' },
    ])
  }
  return [
    ruledRow({ rect, glyphs }, false, [span('Areas')], []),
    row(...Array.from({ length: Math.min(blocks, areas.length) }, () => head).flat()),
    ...Array.from({ length: perBlock }).map((_, line) =>
      row(
        ...Array.from({ length: blocks }).flatMap((_each, block) => rowOf(block * perBlock + line)),
      ),
    ),
  ].slice(0, rect.height)
}

/** Names of areas have three characters, that of the contracts more. */
function matrixSize({ columns, ended }: CertificationModel) {
  const names = ended ? areaCountsOf(ended.report).map(({ area }) => area.length) : []
  const areaWidth = Math.max(3, ...names) + 2
  const blockWidth = areaWidth + countsWidth
  return { areaWidth, blockWidth, blocks: Math.max(1, Math.floor(columns / blockWidth)) }
}

/** What a result says in one row: its first problem, or why it was not judged. */
const shortText = ({ problems, why, says }: ReportedResult): string =>
  escapeControls(problems[0]?.text ?? why ?? says)

function resultRows(model: CertificationModel, rect: Rect, glyphs: Glyphs): readonly Row[] {
  const results = listedResults(model)
  return [
    ruledRow({ rect, glyphs }, true, [span(`Results ${results.length}`, 'accent')], []),
    ...listRows(model, rect.height - 1, (index, isChosen) => {
      const result = results[index]
      if (!result) return emptyRow
      const [word, tone] = outcomeTexts[result.outcome]
      const cells = columnSpans(model.columns - 1, [
        { text: word, width: 4, tone },
        { text: result.clause, width: 11, tone: 'strong' },
        { text: shortText(result) },
      ])
      return {
        spans: [span(isChosen ? '>' : ' '), ...cells],
        ...(isChosen ? { chosen: 'here' as const } : {}),
      }
    }),
  ]
}

function overviewAreas(model: CertificationModel, body: Rect, glyphs: Glyphs): readonly RowsArea[] {
  const { wish, ended } = model
  const above = ended
    ? Math.min(
        Math.ceil(areaCountsOf(ended.report).length / matrixSize(model).blocks) + 2,
        Math.max(0, body.height - minResultRows),
      )
    : wish
      ? Math.min(wishRows(wish, model, body, glyphs).length, body.height)
      : 0
  const top: Rect = { ...body, height: above }
  const list: Rect = { ...body, y: body.y + above, height: body.height - above }
  const first = ended
    ? [{ name: 'matrix', rect: top, make: () => matrixRows(model, top, glyphs) }]
    : wish
      ? [{ name: 'wish', rect: top, make: () => wishRows(wish, model, top, glyphs) }]
      : []
  const rows = ended ? resultRows : procedureRows
  return [...first, { name: 'list', rect: list, make: () => rows(model, list, glyphs) }]
}

/** From top to bottom. */
export function certificationAreas(model: CertificationModel, glyphs: Glyphs): readonly RowsArea[] {
  const { columns, rows, view } = model
  const header: Rect = { x: 0, y: 0, width: columns, height: 1 }
  const body: Rect = { x: 0, y: 1, width: columns, height: innerRows(model) }
  const footer: Rect = { x: 0, y: rows - 1, width: columns, height: rows > 1 ? 1 : 0 }
  const areas: readonly RowsArea[] = [
    { name: 'heading', rect: header, make: () => [headingRow(model, glyphs)] },
    ...(view === 'overview'
      ? overviewAreas(model, body, glyphs)
      : [{ name: 'text', rect: body, make: () => detailsArea(model, body, glyphs) }]),
    { name: 'footer', rect: footer, make: () => [footerRow(model)] },
  ]
  return areas.filter(({ rect }) => rect.height > 0 && rect.width > 0)
}
