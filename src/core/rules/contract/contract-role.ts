/** The role whose host a document describes, by the operations of the protocol that its paths stand for. */
import { err, ok, type Result } from '../../protocol/result.ts'
import { fullRoleName, type Role, roles } from '../../protocol/role.ts'
import { recogniseOperation } from '../../traffic/recognise-operation.ts'
import type { ContractOperation } from './contract-operations.ts'

/** Every host has these, so they say nothing about whose host it is. */
const commonCapabilities: ReadonlySet<string> = new Set(['discovery', 'auth'])

export function contractRole(
  operations: readonly Pick<ContractOperation, 'method' | 'path'>[],
): Result<Role, string> {
  const counts = new Map<Role, number>(roles.map((role) => [role, 0]))
  for (const { method, path } of operations) {
    const row = recogniseOperation(method, path)?.row
    if (!row || commonCapabilities.has(row.capability)) continue
    for (const role of row.hosts) counts.set(role, (counts.get(role) ?? 0) + 1)
  }
  const most = Math.max(...counts.values())
  const best = roles.filter((role) => counts.get(role) === most)
  const [found, ...others] = best
  if (most === 0 || found === undefined)
    return err(
      'none of its paths is one of the protocol, so it does not say whose host it describes',
    )
  if (others.length > 0)
    return err(
      `its paths are those of the ${best.map((role) => fullRoleName[role]).join(' as well as of the ')}`,
    )
  return ok(found)
}
