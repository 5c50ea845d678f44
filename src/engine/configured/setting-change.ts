/** Settings that were changed while the session runs: facts of the world, so that a fold to an earlier fact undoes them. */
export interface SettingChange {
  /** Its place in the configuration. */
  readonly path: readonly string[]
  /** Absent where the setting has no value any more. */
  readonly value?: unknown
}

export interface ConfiguredWorld {
  /** The last change of each setting. The list is replaced, never changed: whoever derives from it compares it. */
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
