/**
 * Settings that were changed while the session runs: facts of the world, so that a fold to an earlier fact undoes them.
 */
export interface SettingChange {
  /** Its place in the configuration. */
  readonly path: readonly string[]
  /** Absent where the setting has no value any more. */
  readonly value?: unknown
}

export interface ConfiguredWorld {
  /** The last change of each setting. The list is replaced, never changed: readers that derive from it compare it. */
  changes: readonly SettingChange[]
}

export const createConfiguredWorld = (): ConfiguredWorld => ({ changes: [] })

const isSamePlace = (one: SettingChange, other: SettingChange): boolean =>
  one.path.length === other.path.length &&
  one.path.every((part, index) => part === other.path[index])

export function applySettingChanges(
  world: ConfiguredWorld,
  changes: readonly SettingChange[],
): void {
  const kept = world.changes.filter((each) => !changes.some((change) => isSamePlace(change, each)))
  world.changes = [...kept, ...changes]
}

/** Whether one of the changes is of a setting below a place. */
export const changesBelow = (
  changes: readonly SettingChange[],
  place: readonly string[],
): boolean => changes.some(({ path }) => place.every((part, index) => path[index] === part))

const maxValueLength = 60

/** A list of records is too long for a line. */
const isRecords = (value: unknown): value is readonly object[] =>
  Array.isArray(value) && value.some((each) => typeof each === 'object' && each !== null)

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text
}

function changeText({ path, value }: SettingChange): string {
  const name = path.join('.')
  if (value === undefined) return `${name} has its default`
  if (isRecords(value))
    return `${name} has ${value.length} ${value.length === 1 ? 'entry' : 'entries'}`
  return `${name} is ${valueText(value)}`
}

/** Changed settings as one line: `counterparts.crm.behaviour is slow`. */
export const settingChangesText = (changes: readonly SettingChange[]): string =>
  changes.map(changeText).join(', ')
