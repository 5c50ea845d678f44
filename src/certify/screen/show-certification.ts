/**
 * Shows a certification on a terminal until it is closed. The command line imports this file lazily, since Ink and React take
 * longer to load than everything else.
 */
import type { ProcedureProgress } from '../judge/run-procedures.ts'
import {
  OpenListScreen,
  type ShowListOptions,
} from '../../terminal/dashboard/list-screen/open-list-screen.tsx'
import type { ExitReason } from '../../terminal/dashboard/runtime/show.tsx'
import {
  areaCountsOf,
  type CertificationHeading,
  type CertificationModel,
  chosenResult,
  chosenRow,
  type EndedCertification,
  initialCertification,
  listedResults,
  listLength,
  type PersonRequest,
  secondsLeft,
} from './model.ts'
import type { CheckOutcome } from '../judge/judge-checks.ts'
import { isCertified, type ReportedResult } from '../report/report.ts'
import { pluralise } from '../../core/protocol/count-text.ts'
import { escapeControls } from '../../core/traffic/escape-controls.ts'
import {
  commonKeys,
  type ListKey,
  type ListMessage,
  listRows,
  type ListScreen,
  motionKeys,
  moveByKey,
  listNotice,
  type RowsArea,
  updateList,
} from '../../terminal/dashboard/list-screen/list-screen.ts'
import type { Rect } from '../../terminal/dashboard/model/layout.ts'
import { ruledRow } from '../../terminal/dashboard/view/panes/title.ts'
import { wordWrap } from '../../terminal/dashboard/view/text/cells.ts'
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

// The screen of a certification: what a person is asked for and the procedures; after the end
// matrix and results.

// The keys of a certification's screen.

/** What only this screen asks for: a person has answered. */
export interface CertificationAction {
  readonly kind: 'answer'
  readonly answer: 'done' | 'skipped'
}

interface StoppedMessage {
  readonly kind: 'stopped'
}

/** `request`: a person is asked for something. */
const contexts = ['procedures', 'request', 'results', 'details', 'help'] as const
export type CertificationKeyContext = (typeof contexts)[number]

function certificationContextOf(model: CertificationModel): CertificationKeyContext {
  const { view, ended, request } = model
  if (view !== 'overview') return view
  if (ended) return 'results'
  return request ? 'request' : 'procedures'
}

/** Who asks again after it was asked to stop does not want to wait. */
const isOver = ({ ended, isStopping }: CertificationModel): boolean =>
  ended !== undefined || isStopping

type CertificationKey = ListKey<
  CertificationModel,
  CertificationKeyContext,
  StoppedMessage,
  CertificationAction
>

export const certificationKeys: readonly CertificationKey[] = [
  {
    keys: ['enter'],
    contexts: ['request'],
    title: 'what is asked for is done at your service',
    footer: 'it is done',
    run: () => ({ action: { kind: 'answer', answer: 'done' } }),
  },
  {
    keys: ['s'],
    contexts: ['request'],
    title: 'skip it: the procedure that needs it ends, the others go on',
    footer: 'skip it',
    run: () => ({ action: { kind: 'answer', answer: 'skipped' } }),
  },
  {
    keys: motionKeys,
    label: 'up down',
    contexts,
    title: 'the row above or below, or scroll; also k and j, pageup and pagedown, home and end',
    footer: 'choose',
    run: moveByKey,
  },
  {
    keys: ['enter'],
    contexts: ['results'],
    title: 'the result in full: clause, problems, exchanges, what to change',
    footer: 'details',
    run: (model) =>
      chosenResult(model)
        ? { message: { kind: 'opened', view: 'details' } }
        : listNotice('there is no result'),
  },
  { ...commonKeys.back, contexts: ['details', 'help'], title: 'back to the list' },
  { ...commonKeys.help, contexts },
  {
    keys: ['q'],
    contexts,
    title: 'leave, when it has ended',
    footer: 'quit',
    always: true,
    isOmitted: (model) => !isOver(model),
    run: (model) =>
      isOver(model)
        ? { action: { kind: 'leave' } }
        : listNotice('q leaves when it has ended; ctrl-c stops it after this procedure'),
  },
  {
    keys: ['ctrl-c'],
    contexts,
    title: 'stop after the procedure under way, and report; once more leaves the screen',
    footer: 'stop',
    // What cannot be stopped any more needs no key for it.
    isOmitted: isOver,
    run: (model) =>
      isOver(model)
        ? { action: { kind: 'leave' } }
        : { message: { kind: 'stopped' }, action: { kind: 'stop' } },
  },
  { ...commonKeys.suspend, contexts },
]

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

function headingRows(model: CertificationModel, glyphs: Glyphs): readonly Row[] {
  const { columns, heading, exchanges, tookMs } = model
  const left = [badge(model, glyphs), span(` ${heading.role} at ${heading.service}`, 'muted')]
  const right = span(`${pluralise(exchanges, 'exchange')}  ${ageText(tookMs)} `)
  return [rowWithEnds(columns, left, [right])]
}

/** What a person is asked for, with the time that is left. */
function requestRows(
  request: PersonRequest,
  { columns, tookMs }: CertificationModel,
  rect: Rect,
  glyphs: Glyphs,
): readonly Row[] {
  const left = pluralise(secondsLeft(request, tookMs), 'second')
  return [
    ruledRow({ rect, glyphs }, true, [span('DO THIS NOW', 'warn')], [span(`${left} left`, 'warn')]),
    emptyRow,
    ...wrapSpans([span(` ${glyphs.leads} ${request.text}`, 'strong')], columns - 1),
    emptyRow,
    row(
      span(' enter ', 'accent'),
      span('when it is done   '),
      span('s ', 'accent'),
      span('skips it'),
    ),
  ]
}

function procedureRows(model: CertificationModel, rect: Rect, glyphs: Glyphs): readonly Row[] {
  const { procedures } = model.heading
  const over = [...model.progress.values()].filter(
    ({ state }) => state === 'done' || state === 'skipped',
  ).length
  const states = {
    begins: [glyphs.now, 'running', 'accent'],
    waits: [glyphs.now, 'waits', 'accent'],
    done: [glyphs.done, 'done', 'ok'],
    skipped: [glyphs.scheduled, 'skipped', 'warn'],
  } as const
  return [
    ruledRow(
      { rect, glyphs },
      !model.request,
      [span(`Procedures ${over} of ${procedures.length}`, 'accent')],
      [],
    ),
    // The cursor of the procedures is its mark alone.
    ...listRows(procedures.length, chosenRow(model), rect.height - 1, (index, isChosen) => {
      const { name = '', about = '' } = procedures[index] ?? {}
      const { state, why } = model.progress.get(name) ?? {}
      const [sign, word, tone] = state ? states[state] : [glyphs.open, '', 'muted' as const]
      return columnSpans(model.columns - 1, [
        { text: sign, width: 1, tone },
        { text: name, width: 24, tone: isChosen ? 'strong' : 'plain' },
        { text: word, width: 8, tone },
        { text: why === undefined ? about : escapeControls(why), tone: 'muted' },
      ])
    }).map(({ spans }) => row(...spans)),
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
    ...listRows(results.length, chosenRow(model), rect.height - 1, (index) => {
      const result = results[index]
      if (!result) return []
      const [word, tone] = outcomeTexts[result.outcome]
      return columnSpans(model.columns - 1, [
        { text: word, width: 4, tone },
        { text: result.clause, width: 11, tone: 'strong' },
        { text: shortText(result) },
      ])
    }),
  ]
}

function overviewAreas(model: CertificationModel, body: Rect, glyphs: Glyphs): readonly RowsArea[] {
  const { request, ended } = model
  const above = ended
    ? Math.min(
        Math.ceil(areaCountsOf(ended.report).length / matrixSize(model).blocks) + 2,
        Math.max(0, body.height - minResultRows),
      )
    : request
      ? Math.min(requestRows(request, model, body, glyphs).length, body.height)
      : 0
  const top: Rect = { ...body, height: above }
  const list: Rect = { ...body, y: body.y + above, height: body.height - above }
  const first = ended
    ? [{ name: 'matrix', rect: top, make: () => matrixRows(model, top, glyphs) }]
    : request
      ? [{ name: 'request', rect: top, make: () => requestRows(request, model, top, glyphs) }]
      : []
  const rows = ended ? resultRows : procedureRows
  return [...first, { name: 'list', rect: list, make: () => rows(model, list, glyphs) }]
}

/** A line wrapped, with its indentation on every row. */
function wrappedLine(line: string, columns: number): readonly Row[] {
  const text = line.trimStart()
  const indent = ` ${' '.repeat(line.length - text.length)}`
  const width = Math.max(1, columns - indent.length - 1)
  return wordWrap(text, width).map((each) => row(span(`${indent}${each}`)))
}

function detailsOf(model: CertificationModel) {
  const { columns, ended } = model
  const result = chosenResult(model)
  if (!result || !ended) return { title: '', rows: [] }
  return {
    title: `${result.clauses.join(', ')}  ${result.outcome}  ${result.level}`,
    rows: ended.linesOf(result).flatMap((line) => wrappedLine(line, columns)),
  }
}

export const certificationScreen: ListScreen<
  CertificationModel,
  CertificationKeyContext,
  StoppedMessage,
  CertificationAction
> = {
  keys: certificationKeys,
  contextOf: certificationContextOf,
  headingHeight: () => 1,
  headingRows,
  overviewAreas,
  lengthOf: listLength,
  chosenIndex: chosenRow,
  choose: (model, index) => ({ ...model, chosen: index }),
  detailsOf,
}

export type CertificationMessage =
  | { readonly kind: 'progress'; readonly progress: ProcedureProgress }
  /** An exchange with the service has ended. */
  | { readonly kind: 'exchange' }
  /** A person is asked; without a request it is over. */
  | { readonly kind: 'asked'; readonly request?: PersonRequest }
  | { readonly kind: 'ended'; readonly ended: EndedCertification }
  | StoppedMessage
  | ListMessage

/** Pure. */
export function updateCertification(
  model: CertificationModel,
  message: CertificationMessage,
): CertificationModel {
  switch (message.kind) {
    case 'progress': {
      const { progress } = message
      return { ...model, progress: new Map(model.progress).set(progress.procedure, progress) }
    }
    case 'exchange':
      return { ...model, exchanges: model.exchanges + 1 }
    case 'asked': {
      const { request: _before, ...others } = model
      // A request must be visible, whatever is open.
      return message.request
        ? { ...others, request: message.request, view: 'overview', top: 0 }
        : others
    }
    case 'ended': {
      const { request: _request, chosen: _chosen, ...others } = model
      return { ...others, ended: message.ended, view: 'overview' }
    }
    case 'stopped':
      return { ...model, isStopping: true }
    default:
      return updateList(certificationScreen, model, message)
  }
}

/** It stops after the procedure under way. */
export interface ShowCertificationOptions extends ShowListOptions {
  readonly heading: CertificationHeading
}

/** What a person has answered; undefined when there was no answer. */
export type PersonAnswer = 'done' | 'skipped' | undefined

export interface ShownCertification {
  readonly onProgress: (progress: ProcedureProgress) => void
  /** An exchange with the service has ended. */
  readonly onExchange: () => void
  /** Asks the operator for something, until the signal is aborted, which is after so many ms at the latest. */
  readonly ask: (text: string, withinMs: number, signal: AbortSignal) => Promise<PersonAnswer>
  readonly onEnd: (ended: EndedCertification) => void
  /** Resolves when the operator leaves: by a key after the end, or as soon as it has stopped. */
  readonly closed: Promise<ExitReason>
  /** Closes it, if it is open, and restores the terminal. */
  readonly close: () => Promise<void>
}

export function showCertification(options: ShowCertificationOptions): ShownCertification {
  let answer: (answered: PersonAnswer) => void = () => undefined
  const screen = new OpenListScreen({
    ...options,
    screen: certificationScreen,
    initial: (columns, rows) => initialCertification(options.heading, columns, rows),
    update: updateCertification,
    act: (action) => answer(action.answer),
  })

  return {
    closed: screen.closed,
    onProgress: (progress) => screen.fold({ kind: 'progress', progress }),
    onExchange: () => screen.fold({ kind: 'exchange' }),
    async ask(text, withinMs, enough) {
      if (enough.aborted) return undefined
      const asked = Promise.withResolvers<PersonAnswer>()
      answer = asked.resolve
      const over = (): void => asked.resolve(undefined)
      enough.addEventListener('abort', over, { once: true })
      screen.tick()
      screen.fold({ kind: 'asked', request: { text, untilMs: screen.model.tookMs + withinMs } })
      const answered = await asked.promise
      enough.removeEventListener('abort', over)
      screen.fold({ kind: 'asked' })
      return answered
    },
    onEnd(ended) {
      screen.tick()
      screen.fold({ kind: 'ended', ended })
      if (screen.model.isStopping) screen.leave()
    },
    close: () => screen.close(),
  }
}
