/**
 * Undo and redo of agenda edits. When an edit cannot be undone, the first attempt reports it and the second skips it.
 */
import type { Fact } from '../../engine/fact.ts'
import type { SessionApi } from '../../session-api/session-api.ts'
import type { Message } from '../model/message.ts'
import { refusalMessage, noticeMessage } from './notice.ts'

type UndoFact = Extract<Fact, { kind: 'agenda.undone' | 'agenda.redone' }>

const isUndoFact = (fact: Fact): fact is UndoFact =>
  fact.kind === 'agenda.undone' || fact.kind === 'agenda.redone'

export async function undoOrRedo(
  session: SessionApi,
  direction: 'undo' | 'redo',
  skipIrreversible: boolean,
): Promise<readonly Message[]> {
  const kind = direction === 'undo' ? 'agenda.undo' : 'agenda.redo'
  const result = await session.submit(skipIrreversible ? { kind, past: true } : { kind })
  if (!result.ok) {
    const { code, message } = result.error
    if (code === 'NOT_FOUND') return [noticeMessage(message, 'muted')]
    if (code !== 'CONFLICT' || skipIrreversible) return [refusalMessage(result.error)]
    const key = direction === 'undo' ? 'z' : 'Z'
    return [{ kind: 'stuck' }, noticeMessage(`${message}; ${key} again goes past it`, 'warn')]
  }
  const [fact] = result.value.filter(isUndoFact)
  if (!fact) return [noticeMessage(direction === 'undo' ? 'undone' : 'done again')]
  const [first] = fact.items
  return [
    ...(first ? [{ kind: 'picked', id: first.id } as const] : []),
    noticeMessage(undoText(fact)),
  ]
}

const idsText = (list: readonly number[]): string =>
  `${list
    .slice(0, 5)
    .map((id) => `#${id}`)
    .join(' ')}${list.length > 5 ? ' …' : ''}`

function undoText({ kind, word, items, removed, gone, events }: UndoFact): string {
  const done = kind === 'agenda.undone' ? 'undone' : 'done again'
  const parts = [
    ...(items.length > 0 ? [idsText(items.map(({ id }) => id))] : []),
    ...(removed.length > 0 ? [`${idsText(removed)} removed`] : []),
    ...(events.length > 0 ? ['the event as it was'] : []),
    ...(gone.length > 0 ? [`${idsText(gone)} taken meanwhile`] : []),
  ]
  return `${done}, ${word}: ${parts.join(', ')}`
}
