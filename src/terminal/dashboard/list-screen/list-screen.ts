/**
 * The screen of a program that takes a while: a heading, an overview with a list, and a footer. What covers the overview is the
 * chosen row in full, or the keys. A screen is described once; its updates, areas and keys are derived here.
 */
import { findBinding } from '../keys/binding.ts'
import {
  bindingKeysText,
  type DocumentedKey,
  helpLine,
  keyRow,
  keySpans,
  keysWidth,
} from '../keys/documented-key.ts'
import type { Rect } from '../model/layout.ts'
import { moveIndex, rangeText, scroll, topIndex } from '../model/lists.ts'
import type { Motion } from '../model/message.ts'
import type { ScreenSize } from '../runtime/shown-screen.ts'
import { ruledRow } from '../view/panes/title.ts'
import type { Glyphs } from '../view/text/glyphs.ts'
import { type Row, rowWithEnds, type Span, span, type Tone } from '../view/text/row.ts'

/** One line that is shown until the next key. */
interface ScreenNotice {
  readonly text: string
  readonly tone: Tone
}

/** `details`: the chosen row in full. */
export type ListView = 'overview' | 'details' | 'help'

export interface ListModel extends ScreenSize {
  readonly notice?: ScreenNotice | undefined
  /** Wall-clock time since the beginning, in ms. */
  readonly tookMs: number
  readonly view: ListView
  /** Where help leads back to. */
  readonly before: ListView
  /** Top row of the open text. */
  readonly top: number
  /** How it ended; time stands still then. */
  readonly ended?: unknown
}

export const initialList = (columns: number, rows: number) =>
  ({ columns, rows, tookMs: 0, view: 'overview', before: 'overview', top: 0 }) as const

/** Messages that every screen understands. */
export type ListMessage =
  | ({ readonly kind: 'resized' } & ScreenSize)
  | { readonly kind: 'notice'; readonly notice: ScreenNotice | undefined }
  /** Time passes, although nothing else happens. */
  | { readonly kind: 'ticked'; readonly tookMs: number }
  | { readonly kind: 'moved'; readonly motion: Motion }
  | { readonly kind: 'opened'; readonly view: ListView }
  | { readonly kind: 'closed' }

/** What the screen itself cannot do, in every program. */
export type ListAction =
  | { readonly kind: 'stop' }
  | { readonly kind: 'leave' }
  | { readonly kind: 'suspend' }

export interface ListKeyOutcome<Message, Action> {
  readonly message?: Message | ListMessage
  readonly action?: Action | ListAction
}

/** A key: its text, and what it does. */
export interface ListKey<Model, Context, Message, Action> extends DocumentedKey {
  readonly contexts: readonly Context[]
  /** Why the key does nothing now; it is not in the footer then. */
  readonly disabledReason?: (model: Model) => string | undefined
  /** The footer leaves it out now, although it is answered. */
  readonly isOmitted?: (model: Model) => boolean
  readonly run: (model: Model, key: string) => ListKeyOutcome<Message, Action>
}

export interface RowsArea {
  readonly name: string
  readonly rect: Rect
  /** Made when they are drawn, so that an error stays in its area. */
  readonly make: () => readonly Row[]
}

/** A text that covers the overview. */
interface OpenText {
  readonly title: string
  readonly rows: readonly Row[]
}

export interface ListScreen<Model extends ListModel, Context extends string, Message, Action> {
  /** In the order of help and footer. */
  readonly keys: readonly ListKey<Model, Context, Message, Action>[]
  readonly contextOf: (model: Model) => Context
  readonly headingHeight: (model: Model) => number
  readonly headingRows: (model: Model, glyphs: Glyphs) => readonly Row[]
  readonly overviewAreas: (model: Model, body: Rect, glyphs: Glyphs) => readonly RowsArea[]
  readonly lengthOf: (model: Model) => number
  readonly chosenIndex: (model: Model) => number | undefined
  readonly choose: (model: Model, index: number) => Model
  readonly detailsOf: (model: Model) => OpenText
  /** The help, where it is more than the rows of the keys. */
  readonly helpOf?: (model: Model, keyRows: readonly Row[], keyWidth: number) => readonly Row[]
  /** What takes the place of the footer. */
  readonly questionOf?: (model: Model) => readonly Span[] | undefined
}

type AnyScreen<Model extends ListModel> = ListScreen<Model, string, unknown, unknown>

/** Rows between the heading and the footer. */
const bodyHeight = <Model extends ListModel>(screen: AnyScreen<Model>, model: Model): number =>
  Math.max(0, model.rows - screen.headingHeight(model) - 1)

/** Rows of an open text below its title. */
const textHeight = <Model extends ListModel>(screen: AnyScreen<Model>, model: Model): number =>
  Math.max(1, bodyHeight(screen, model) - 1)

function openText<Model extends ListModel>(screen: AnyScreen<Model>, model: Model): OpenText {
  const { keys, detailsOf, helpOf } = screen
  if (model.view !== 'help') return detailsOf(model)
  const style = { width: model.columns, keyWidth: keysWidth(keys) }
  const keyRows = keys.map((key) => helpLine(bindingKeysText(key), key.title, style))
  return { title: 'Keys', rows: helpOf?.(model, keyRows, style.keyWidth) ?? keyRows }
}

/** The list moves its cursor, an open text its rows. */
function moved<Model extends ListModel>(
  screen: AnyScreen<Model>,
  model: Model,
  motion: Motion,
): Model {
  if (model.view !== 'overview') {
    const { length } = openText(screen, model).rows
    return { ...model, top: scroll(length, textHeight(screen, model), model.top, motion) }
  }
  const length = screen.lengthOf(model)
  if (length === 0) return model
  const height = bodyHeight(screen, model)
  return screen.choose(model, moveIndex(length, height, screen.chosenIndex(model), motion))
}

/** Applies a message that every screen understands. */
export function updateList<Model extends ListModel>(
  screen: AnyScreen<Model>,
  model: Model,
  message: ListMessage,
): Model {
  switch (message.kind) {
    case 'resized':
      return { ...model, columns: message.columns, rows: message.rows }
    case 'notice':
      return { ...model, notice: message.notice }
    case 'ticked':
      return { ...model, tookMs: Math.max(model.tookMs, message.tookMs) }
    case 'moved':
      return moved(screen, model, message.motion)
    case 'opened':
      return { ...model, view: message.view, before: model.view, top: 0 }
    case 'closed':
      return { ...model, view: model.view === 'help' ? model.before : 'overview', top: 0 }
    default:
      return message satisfies never
  }
}

export const listNotice = (text: string): { readonly message: ListMessage } => ({
  message: { kind: 'notice', notice: { text, tone: 'muted' } },
})

/** What a key does, or a notice why it does nothing. */
export function respondToListKey<Model extends ListModel, Context extends string, Message, Action>(
  { keys, contextOf }: ListScreen<Model, Context, Message, Action>,
  model: Model,
  key: string,
): ListKeyOutcome<Message, Action> {
  const found = findBinding(keys, contextOf(model), key)
  if (!found) return listNotice(`${key}: no such key here; ? lists them`)
  const reason = found.disabledReason?.(model)
  return reason === undefined ? found.run(model, key) : listNotice(reason)
}

/** The rows of the open text that are visible, below their title. */
function openTextRows<Model extends ListModel>(
  screen: AnyScreen<Model>,
  model: Model,
  ruled: { readonly rect: Rect; readonly glyphs: Glyphs },
): readonly Row[] {
  const { title, rows } = openText(screen, model)
  const { length } = rows
  const height = textHeight(screen, model)
  const top = Math.max(0, Math.min(model.top, length - height))
  const where = rangeText(length, height, top)
  const right = where === '' ? [] : [span(where, 'muted')]
  return [ruledRow(ruled, true, [span(title, 'accent')], right), ...rows.slice(top, top + height)]
}

function footerRow<Model extends ListModel>(
  { keys, contextOf, questionOf }: AnyScreen<Model>,
  model: Model,
): Row {
  const { columns, notice } = model
  const question = questionOf?.(model)
  if (question) return rowWithEnds(columns, question, [])
  const context = contextOf(model)
  const shown = keys.filter(
    ({ footer, contexts, disabledReason, isOmitted }) =>
      footer !== undefined &&
      contexts.includes(context) &&
      disabledReason?.(model) === undefined &&
      !isOmitted?.(model),
  )
  const right = keySpans(shown.filter(({ always }) => always === true))
  const hints = keySpans(shown.filter(({ always }) => always !== true))
  return keyRow(notice ? [span(` ${notice.text}`, notice.tone)] : [], hints, right, columns)
}

/** From top to bottom. */
export function listAreas<Model extends ListModel>(
  screen: AnyScreen<Model>,
  model: Model,
  glyphs: Glyphs,
): readonly RowsArea[] {
  const { columns, rows, view } = model
  const top = screen.headingHeight(model)
  const header: Rect = { x: 0, y: 0, width: columns, height: Math.min(top, rows) }
  const body: Rect = { x: 0, y: top, width: columns, height: bodyHeight(screen, model) }
  const footer: Rect = { x: 0, y: rows - 1, width: columns, height: rows > top ? 1 : 0 }
  const openArea = (): readonly Row[] => openTextRows(screen, model, { rect: body, glyphs })
  const areas: readonly RowsArea[] = [
    { name: 'heading', rect: header, make: () => screen.headingRows(model, glyphs) },
    ...(view === 'overview'
      ? screen.overviewAreas(model, body, glyphs)
      : [{ name: 'text', rect: body, make: openArea }]),
    { name: 'footer', rect: footer, make: () => [footerRow(screen, model)] },
  ]
  return areas.filter(({ rect }) => rect.height > 0 && rect.width > 0)
}

/** The rows of the list that fit, with the one that has the cursor; each begins with its mark. */
export function listRows(
  length: number,
  chosen: number | undefined,
  height: number,
  cellsOf: (index: number, isChosen: boolean) => readonly Span[],
): readonly Row[] {
  const top = topIndex(length, height, 0, chosen)
  return Array.from({ length: Math.max(0, Math.min(height, length - top)) }, (_, line): Row => {
    const index = top + line
    if (index !== chosen) return { spans: [span(' '), ...cellsOf(index, false)] }
    return { spans: [span('>'), ...cellsOf(index, true)], chosen: 'here' }
  })
}

const motions: Readonly<Record<string, Motion>> = {
  up: { kind: 'rows', by: -1 },
  down: { kind: 'rows', by: 1 },
  k: { kind: 'rows', by: -1 },
  j: { kind: 'rows', by: 1 },
  pageup: { kind: 'halves', by: -1 },
  pagedown: { kind: 'halves', by: 1 },
  'ctrl-u': { kind: 'halves', by: -1 },
  'ctrl-d': { kind: 'halves', by: 1 },
  home: { kind: 'first' },
  end: { kind: 'last' },
  g: { kind: 'first' },
  G: { kind: 'last' },
}
export const motionKeys = Object.keys(motions)

type CommonKey = ListKey<ListModel, never, never, never>

export const moveByKey: CommonKey['run'] = (_, key) =>
  motions[key] ? { message: { kind: 'moved', motion: motions[key] } } : {}

/** Keys of every screen, without their contexts. */
export const commonKeys = {
  back: {
    keys: ['esc', 'backspace'],
    label: 'esc',
    footer: 'back',
    always: true,
    run: () => ({ message: { kind: 'closed' } }),
  },
  help: {
    keys: ['?'],
    title: 'all keys',
    footer: 'help',
    always: true,
    run: ({ view }) => ({
      message: view === 'help' ? { kind: 'closed' } : { kind: 'opened', view: 'help' },
    }),
  },
  suspend: {
    keys: ['ctrl-z'],
    title: 'to the shell; fg comes back',
    run: () => ({ action: { kind: 'suspend' } }),
  },
} as const satisfies Readonly<Record<string, Partial<CommonKey>>>
