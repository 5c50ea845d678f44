/** Undoing what was done by hand, and doing it again. What cannot be undone is said first, and gone past the next time. */
import type { Fact } from '../../engine/fact.ts'
import type { SessionApi } from '../../session-api/session-api.ts'
import type { Message } from '../model/message.ts'
import { refused, tell } from './notice.ts'

type Turned = Extract<Fact, { kind: 'agenda.undone' | 'agenda.redone' }>

const isTurned = (fact: Fact): fact is Turned =>
  fact.kind === 'agenda.undone' || fact.kind === 'agenda.redone'

export async function turn(
  face: SessionApi,
  way: 'undo' | 'redo',
  past: boolean,
): Promise<readonly Message[]> {
  const kind = way === 'undo' ? 'agenda.undo' : 'agenda.redo'
  const result = await face.submit(past ? { kind, past: true } : { kind })
  if (!result.ok) {
    const { code, message } = result.error
    if (code === 'NOT_FOUND') return [tell(message, 'muted')]
    if (code !== 'CONFLICT' || past) return [refused(result.error)]
    const key = way === 'undo' ? 'z' : 'Z'
    return [{ kind: 'stuck' }, tell(`${message}; ${key} again goes past it`, 'warn')]
  }
  const [fact] = result.value.filter(isTurned)
  if (!fact) return [tell(way === 'undo' ? 'undone' : 'done again')]
  const [first] = fact.items
  return [...(first ? [{ kind: 'picked', id: first.id } as const] : []), tell(turnedText(fact))]
}

const ids = (list: readonly number[]): string =>
  `${list
    .slice(0, 5)
    .map((id) => `#${id}`)
    .join(' ')}${list.length > 5 ? ' …' : ''}`

function turnedText({ kind, word, items, removed, gone, events }: Turned): string {
  const done = kind === 'agenda.undone' ? 'undone' : 'done again'
  const parts = [
    ...(items.length > 0 ? [ids(items.map(({ id }) => id))] : []),
    ...(removed.length > 0 ? [`${ids(removed)} gone again`] : []),
    ...(events.length > 0 ? ['the event as it was'] : []),
    ...(gone.length > 0 ? [`${ids(gone)} taken meanwhile`] : []),
  ]
  return `${done}, ${word}: ${parts.join(', ')}`
}
