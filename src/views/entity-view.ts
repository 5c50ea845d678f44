/** Interface of the view of one kind of entity. */
import type { World } from '../engine/world.ts'
import type { Instant } from '../engine/instant.ts'
import type { Settings } from '../engine/settings.ts'
import type { Role } from '../protocol/role.ts'
import type { EntityDetail, EntityRow } from '../session-api/entities.ts'

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
