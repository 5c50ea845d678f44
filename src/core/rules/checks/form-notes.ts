/** What a dialect says of single objects in a body: names it has no place for, and the verdict of its own schema. */

const lacking = new WeakMap<object, Set<string>>()
const verdicts = new WeakMap<object, { readonly problem?: string }>()

export function noteLacking(object: object, name: string): void {
  const names = lacking.get(object) ?? new Set()
  lacking.set(object, names.add(name))
}

/** Whether the dialect of this object has no such member: then it cannot be missing. */
export const isLacking = (object: unknown, name: string): boolean =>
  typeof object === 'object' && object !== null && lacking.get(object)?.has(name) === true

export const noteVerdict = (object: object, problem: string | undefined): void =>
  void verdicts.set(object, problem === undefined ? {} : { problem })

/** What the dialect’s own schema says of an object that has another form in it; undefined where it has none. */
export const verdictOfForm = (object: unknown): { readonly problem?: string } | undefined =>
  typeof object === 'object' && object !== null ? verdicts.get(object) : undefined
