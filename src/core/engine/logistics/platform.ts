/** What a consumer knows of a further platform. */
import type { ParsedManifest } from '../../protocol/discovery/parse-manifest.ts'
import type { Role } from '../../protocol/role.ts'

export interface FurtherPlatform {
  readonly manifest?: ParsedManifest
  /** Why its manifest was rejected. */
  readonly because?: string
  /** Number of manifest requests so far. */
  readonly attempt: number
}

export const platformKey = (role: Role, platform: number): string => `${role}#${platform}`

/** The name of a platform in texts. */
export const platformName = (platform: number): string =>
  platform === 0 ? 'DP' : `DP no. ${platform}`
