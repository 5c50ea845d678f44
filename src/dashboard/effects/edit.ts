/**
 * Opens the operator's editor and submits the result: the body of a pending event, the fields of any other item, or a
 * new order. Invalid input is reported with line and column and can be edited again; empty or unchanged input does
 * nothing.
 */
import type { Refusal } from '../../engine/refusal.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { SessionApi } from '../../session-api/session-api.ts'
import type { Message } from '../model/message.ts'
import type { EditTarget } from '../model/model.ts'
import type { DashboardPorts } from './ports.ts'
import { parseJsonWithPosition } from '../view/text/read-json.ts'
import { noticeMessage } from './notice.ts'

type Fields = Readonly<Record<string, unknown>>

/** What is edited, and how changes are submitted. */
interface Source {
  /** Name of the file in the editor. */
  readonly name: string
  readonly fields: Fields
  /** Returns the text of the notice. */
  readonly submit: (changed: Fields, whole: Fields) => Promise<Result<string, Refusal>>
}

const formatFields = (fields: Fields): string => `${JSON.stringify(fields, null, 2)}\n`

export async function editInEditor(
  session: SessionApi,
  { of, text: before }: { readonly of: EditTarget; readonly text?: string },
  { editText }: DashboardPorts,
): Promise<readonly Message[]> {
  if (!editText) return [noticeMessage('there is no editor here', 'muted')]
  const source =
    of.kind === 'item' ? await itemSource(session, of.id) : orderSource(session, of.like)
  if (!source) return [noticeMessage('the item is gone: it was taken or dropped', 'warn')]
  const original = formatFields(source.fields)
  const edited = await editText(before ?? original, source.name)
  if (!edited.ok) return [noticeMessage(edited.error, 'warn')]
  const text = edited.value
  if (text.trim() === '') return [noticeMessage('the file was empty: nothing was changed', 'muted')]
  const promptAgain = (problem: string): readonly Message[] => [
    { kind: 'prompted', prompt: { kind: 'mend', problem, text, of } },
  ]
  const parsed = fieldsOf(text)
  if (!parsed.ok) return promptAgain(parsed.error)
  const { fields } = source
  const missing = Object.keys(fields).find((name) => !Object.hasOwn(parsed.value, name))
  if (missing !== undefined && of.kind === 'item')
    return promptAgain(`"${missing}" is missing: a field can be changed, not taken away`)
  const changed = Object.fromEntries(
    Object.entries(parsed.value).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(fields[name]),
    ),
  )
  if (Object.keys(changed).length === 0 && missing === undefined)
    return [noticeMessage('nothing was changed', 'muted')]
  const result = await source.submit(changed, parsed.value)
  return result.ok ? [noticeMessage(result.value)] : promptAgain(result.error.message)
}

function fieldsOf(text: string): Result<Fields, string> {
  const parsed = parseJsonWithPosition(text)
  if (!parsed.ok)
    return err(`line ${parsed.error.line}, column ${parsed.error.column}: ${parsed.error.message}`)
  const { value } = parsed
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? ok(value as Fields)
    : err('line 1, column 1: an object in braces is wanted')
}

async function itemSource(session: SessionApi, id: number): Promise<Source | undefined> {
  const { item } = await session.look({ item: id })
  if (!item) return undefined
  const { event, command } = item
  const fieldNames = (changed: Fields): string => Object.keys(changed).join(', ')
  if (event)
    return {
      name: `${event.eventType}.json`,
      fields: event.fields,
      async submit(change) {
        const { eventId, eventType } = event
        const result = await session.submit({ kind: 'event.alter', eventId, change })
        return result.ok ? ok(`${eventType} changed: ${fieldNames(change)}`) : result
      },
    }
  const { kind, ...fields } = command
  return {
    name: `${kind}.json`,
    fields,
    async submit(change) {
      const result = await session.submit({ kind: 'agenda.edit', id, change })
      return result.ok ? ok(`edited #${id}: ${fieldNames(change)}`) : result
    },
  }
}

/** Fields that the session sets itself for a new order. */
const sessionFields = new Set(['id', 'createdAt', 'status', 'lastEvent'])

function orderSource(session: SessionApi, like: unknown): Source {
  const document = Object.entries(like as Fields).filter(([name]) => !sessionFields.has(name))
  return {
    name: 'order.json',
    fields: Object.fromEntries(document),
    async submit(_changed, order) {
      const result = await session.createOrder({ order })
      return result.ok ? ok('a new order was made') : result
    },
  }
}
