/** The edits of a recording: the exchanges as they are played, with all edits checked before anything is sent. */
import { compact } from '../../core/base/compact.ts'
import type { Role } from '../../core/protocol/role.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { MessageSide } from '../../core/traffic/entities/mentions.ts'
import { isHostIssued } from './candidate-index.ts'
import { isIdlePoll } from '../../core/traffic/polling.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { applyEdits, type ImpossibleEdit } from './apply-edits.ts'
import type { ExchangeEdit } from '../../core/traffic/recording/exchange-edit.ts'

/** The exchange as it is played: with its edits, if it has any. */
export type EditRecorded = (recorded: RecordedExchange) => RecordedExchange

/**
 * The side of an exchange that we play against the service with this role, and that can be edited; the error says why
 * there is none.
 */
export function editableSide(
  recorded: RecordedExchange,
  subject: Role,
): Result<MessageSide, string> {
  const { from, to } = recorded
  if (to.role === subject && from.role !== subject) return ok('request')
  if (from.role !== subject || to.role === subject) return err('your service has no part in it')
  if (isHostIssued(recorded)) return err('tokens and manifests are issued anew by our server')
  if (isIdlePoll(recorded))
    return err('it is a poll without events, of which your service makes as many as it likes')
  return ok('reply')
}

/** The exchanges as they are played; else all edits that cannot be made. */
export function editRecording(
  exchanges: readonly RecordedExchange[],
  edits: readonly ExchangeEdit[],
  subject: Role,
): Result<EditRecorded, readonly ImpossibleEdit[]> {
  const byNumber = new Map(exchanges.map((each) => [each.seq, each]))
  const impossible: ImpossibleEdit[] = []
  const editedById = new Map<string, RecordedExchange>()
  for (const [seq, own] of Map.groupBy(edits, (edit) => edit.seq)) {
    const edited = editExchange(byNumber.get(seq), own, subject)
    if (edited.ok) editedById.set(edited.value.recordId, edited.value)
    else impossible.push(...edited.error)
  }
  if (impossible.length > 0) return err(impossible)
  return ok((recorded) => withEditsOf(recorded, editedById.get(recorded.recordId)))
}

function editExchange(
  recorded: RecordedExchange | undefined,
  edits: readonly ExchangeEdit[],
  subject: Role,
): Result<RecordedExchange, readonly ImpossibleEdit[]> {
  const side = recorded
    ? editableSide(recorded, subject)
    : err('the recording has no such exchange')
  if (recorded && side.ok) return applyEdits(recorded, side.value, edits)
  const because = side.ok ? '' : side.error
  return err(edits.map((edit) => ({ edit, because })))
}

/** The messages of the edited exchange in a copy that has other causes. */
export function withEditsOf(
  recorded: RecordedExchange,
  edited: RecordedExchange | undefined,
): RecordedExchange {
  if (!edited) return recorded
  const { request, reply, edits } = edited
  return { ...recorded, request, ...compact({ reply, edits }) }
}
