/** Settings by their former names: `temperament: slow` of a counterpart is read as `behaviour: slow`. */
import { isUnknownRecord } from '../../protocol/unknown-record.ts'

let isHinted = false

function hint(role: string): void {
  if (isHinted) return
  isHinted = true
  process.emitWarning(`counterparts.${role}.temperament is called behaviour now: rename it.`)
}

/** A counterpart that has both names keeps them: the former one is an error like any unknown key. */
function currentCounterpart([role, own]: [string, unknown]): [string, unknown] {
  if (
    !isUnknownRecord(own) ||
    !Object.hasOwn(own, 'temperament') ||
    Object.hasOwn(own, 'behaviour')
  )
    return [role, own]
  hint(role)
  const named = Object.entries(own).map(([key, value]) => [
    key === 'temperament' ? 'behaviour' : key,
    value,
  ])
  return [role, Object.fromEntries(named)]
}

/** A configuration, or a scenario with its `session`, by the current names. */
export function withCurrentNames(value: unknown): unknown {
  if (!isUnknownRecord(value)) return value
  const { session, counterparts } = value
  if (session !== undefined) return { ...value, session: withCurrentNames(session) }
  if (!isUnknownRecord(counterparts)) return value
  const current = Object.fromEntries(Object.entries(counterparts).map(currentCounterpart))
  return { ...value, counterparts: current }
}
