/** What a consumer knows of a further platform. */
import type { ParsedManifest } from '../../protocol/discovery/parse-manifest.ts'

export interface FurtherPlatform {
  readonly manifest?: ParsedManifest
  /** Why its manifest was rejected. */
  readonly because?: string
  /** Number of manifest requests so far. */
  readonly attempt: number
}
