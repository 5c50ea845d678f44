/** What an invariant remembers of each order, with a bound: whatever is oldest is forgotten. */
import { setBounded } from '../../engine/bounded.ts'

export const mostKept = 20_000

/** What is kept under a key; made when it is first asked for. */
export function keptFor<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  setBounded(map, key, made, mostKept)
  return made
}
