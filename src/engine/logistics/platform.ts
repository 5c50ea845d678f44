/** What a consumer knows of a further platform. */
import type { ReadManifest } from '../../protocol/discovery/read.ts'

export interface FurtherPlatform {
  readonly manifest?: ReadManifest
  /** Why its manifest was rejected. */
  readonly because?: string
  /** Number of manifest requests so far. */
  readonly attempt: number
}
