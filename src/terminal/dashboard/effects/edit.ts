/**
 * Opens the operator's editor and submits the result: the body of a pending event, the fields of any other item, a new
 * order, or an exchange of a recording. Invalid input is reported with line and column and can be edited again; empty
 * or unchanged input does nothing.
 */
import type { Refusal } from '../../../core/engine/refusal.ts'
import { assertNever, err, ok, type Result } from '../../../core/protocol/result.ts'
import type { SessionApi } from '../../../core/session-api/session-api.ts'
import type { Message } from '../model/message.ts'
import type { EditTarget } from '../model/prompts.ts'
import type { DashboardPorts } from './ports.ts'
import { parseJsonWithPosition } from '../view/text/read-json.ts'
import { noticeMessage } from './notice.ts'

type Fields = Readonly<Record<string, unknown>>

/** What is edited, and how changes are submitted. */
interface Source {
  /** Name of the file in the editor. */
  readonly name: string
  readonly text: string
  /** Submits valid JSON; returns the text of the notice, undefined when nothing was changed, or what is wrong. */
  readonly submit: (text: string, value: unknown) => Promise<Result<string | undefined, string>>
}

export async function editInEditor(
  session: SessionApi,
  { of, text: before }: { readonly of: EditTarget; readonly text?: string },
  { editText }: DashboardPorts,
): Promise<readonly Message[]> {
  if (!editText) return [noticeMessage('there is no editor here', 'muted')]
  const source = await sourceOf(session, of)
  if (!source.ok) return [noticeMessage(source.error, 'warn')]
  const { name, text: original, submit } = source.value
  const edited = await editText(before ?? original, name)
  if (!edited.ok) return [noticeMessage(edited.error, 'warn')]
  const text = edited.value
  if (text.trim() === '') return [noticeMessage('the file was empty: nothing was changed', 'muted')]
  const parsed = parseJsonWithPosition(text)
  const result = parsed.ok
    ? await submit(text, parsed.value)
    : err(`line ${parsed.error.line}, column ${parsed.error.column}: ${parsed.error.message}`)
  if (!result.ok)
    return [{ kind: 'prompted', prompt: { kind: 'mend', problem: result.error, text, of } }]
  return [
    result.value === undefined
      ? noticeMessage('nothing was changed', 'muted')
      : noticeMessage(result.value),
  ]
}

function sourceOf(session: SessionApi, of: EditTarget): Promise<Result<Source, string>> {
  switch (of.kind) {
    case 'item':
      return itemSource(session, of.id)
    case 'exchange':
      return exchangeSource(session, of.place)
    case 'order':
      return Promise.resolve(ok(orderSource(session, of.like)))
    default:
      return assertNever(of)
  }
}

/** A source whose fields are an object. */
function fieldsSource(
  { name, fields }: { readonly name: string; readonly fields: Fields },
  submit: (whole: Fields) => Promise<Result<string | undefined, string>>,
): Source {
  return {
    name,
    text: `${JSON.stringify(fields, null, 2)}\n`,
    submit: async (_text, value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? submit(value as Fields)
        : err('line 1, column 1: an object in braces is wanted'),
  }
}

const fieldsThatDiffer = (before: Fields, after: Fields): Fields =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
    ),
  )

async function itemSource(session: SessionApi, id: number): Promise<Result<Source, string>> {
  const { item } = await session.look({ item: id })
  if (!item) return err('the item is gone: it was taken or dropped')
  const { event, command } = item
  const { kind, ...members } = command
  const fields: Fields = event ? event.fields : members
  const name = `${event ? event.eventType : kind}.json`
  const what = event ? `${event.eventType} changed` : `edited #${id}`
  const change = (changed: Fields) =>
    event
      ? session.submit({ kind: 'event.alter', eventId: event.eventId, change: changed })
      : session.submit({ kind: 'agenda.edit', id, change: changed })
  return ok(
    fieldsSource({ name, fields }, async (whole) => {
      const missing = Object.keys(fields).find((field) => !Object.hasOwn(whole, field))
      if (missing !== undefined)
        return err(`"${missing}" is missing: a field can be changed, not taken away`)
      const changed = fieldsThatDiffer(fields, whole)
      const names = Object.keys(changed)
      if (names.length === 0) return ok(undefined)
      return noticeOrReason(await change(changed), `${what}: ${names.join(', ')}`)
    }),
  )
}

const noticeOrReason = (result: Result<unknown, Refusal>, notice: string): Result<string, string> =>
  result.ok ? ok(notice) : err(result.error.message)

/** Fields that the session sets itself for a new order. */
const sessionFields = new Set(['id', 'createdAt', 'status', 'lastEvent'])

function orderSource(session: SessionApi, like: unknown): Source {
  const document = Object.entries(like as Fields).filter(([name]) => !sessionFields.has(name))
  const fields: Fields = Object.fromEntries(document)
  return fieldsSource({ name: 'order.json', fields }, async (order) => {
    const isChanged =
      Object.keys(fieldsThatDiffer(fields, order)).length > 0 ||
      Object.keys(fields).some((name) => !Object.hasOwn(order, name))
    if (!isChanged) return ok(undefined)
    return noticeOrReason(await session.createOrder({ order }), 'a new order was made')
  })
}

async function exchangeSource(
  { playback }: SessionApi,
  place: number,
): Promise<Result<Source, string>> {
  if (!playback) return err('there is no recording here')
  const document = await playback.document(place)
  if (!document.ok) return document
  const { isSent, ...source } = document.value
  const keys = isSent ? 'R sends it alone, C goes on from it' : 'your service gets it when it asks'
  return ok({
    ...source,
    async submit(text) {
      const edited = await playback.edit(place, text)
      if (!edited.ok) return edited
      if (edited.value === undefined) return ok(undefined)
      const [first, ...others] = edited.value
      if (first === undefined) return ok('it is played as it was recorded again')
      const more = others.length > 0 ? ` and ${others.length} more` : ''
      return ok(`edited: ${first}${more}; ${keys}, z undoes`)
    },
  })
}
