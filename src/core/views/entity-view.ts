/** Interface of the view of one kind of entity, and what several of them share. */
import type { Command } from '../engine/command.ts'
import type { World } from '../engine/world.ts'
import type { Instant } from '../engine/instant.ts'
import type { Settings } from '../engine/settings.ts'
import type { Role } from '../protocol/role.ts'
import type { EntityDetail, EntityRow, Move } from '../session-api/entities.ts'

/** Inputs beside the world: parts of a document depend on the instant and on the session's settings. */
export interface ViewContext {
  readonly now: Instant
  readonly settings: Settings
  /** The base URL of a role that we play. */
  readonly base: (role: Role) => string | undefined
}

export interface EntityView {
  /** Oldest first. */
  readonly rows: (world: World, scene: ViewContext) => Iterable<EntityRow>
  readonly detail: (id: string, world: World, scene: ViewContext) => EntityDetail | undefined
}

/** A source of entities: records by id, with what is shown of each. */
export interface EntitySource<Own> {
  readonly records: (world: World) => ReadonlyMap<string, Own>
  readonly row: (record: Own, world: World, scene: ViewContext) => EntityRow
  readonly rest: (record: Own, world: World, scene: ViewContext) => Omit<EntityDetail, 'row'>
}

export const viewOf = <Own>({ records, row, rest }: EntitySource<Own>): EntityView => ({
  *rows(world, scene) {
    for (const record of records(world).values()) yield row(record, world, scene)
  },
  detail(id, world, scene) {
    const record = records(world).get(id)
    return record && { row: row(record, world, scene), ...rest(record, world, scene) }
  },
})

type Forcible = Command & { readonly force?: true }

/** A move that is forced where it is invalid. */
export function forcedIf(
  invalid: string | undefined,
  { command, ...move }: Omit<Move, 'invalid' | 'command'> & { readonly command: Forcible },
): Move {
  if (invalid === undefined) return { ...move, command }
  const forced: Forcible = { ...command, force: true }
  return { ...move, command: forced, invalid }
}
