/** The file of a recording without a name: by the time and the role of the service. */
import { join } from 'node:path'
import { wallNow } from '../../core/runtime/clock/clock.ts'
import { isoOf } from '../../core/engine/instant.ts'
import type { Role } from '../../core/protocol/role.ts'

export function defaultRecordingFile(role: Role): string {
  const stamp = isoOf(Math.floor(wallNow())).replaceAll(/[-:]|\.\d+/g, '')
  return join('recordings', `${stamp}-${role}.rec.ndjson`)
}
