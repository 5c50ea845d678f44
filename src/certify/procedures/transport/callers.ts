/** Who calls a service of each role, and which of its operations it serves. */
import { type CatalogueRow, operationsHostedBy } from '../../../core/protocol/catalogue.ts'
import type { Operation } from '../../../core/protocol/operation.ts'
import type { Role } from '../../../core/protocol/role.ts'
import type { ServiceCall } from '../../../core/session-api/service-call.ts'
import type { ProcedureContext } from '../../judge/procedure.ts'
import { capabilityIn, operationNamesIn } from '../../../core/rules/checks/transport/manifests.ts'

/** The role of ours that a service of this role deals with first. */
export const firstCaller = (role: Role): Role =>
  role === 'ordering-application' ? 'software-service' : 'ordering-application'

/** The role of ours that calls an operation of the service. */
function callerOf(row: CatalogueRow, host: Role): Role {
  const first = firstCaller(host)
  const callers = row.callers.filter((each) => each !== host)
  return callers.includes(first) ? first : (callers[0] ?? first)
}

/** Whether a host of the capability has to serve it, whatever its settings are. */
const isAlwaysServed = ({ optional, when, modes }: Operation): boolean =>
  !optional && !when && !modes

/** Protected operations that the service serves: those that its manifest lists, else those of every host. */
export function protectedOperations(
  { role, capabilities }: Pick<ProcedureContext, 'role' | 'capabilities'>,
  manifest: unknown,
): readonly CatalogueRow[] {
  return operationsHostedBy(role).filter((row: CatalogueRow) => {
    const { access, capability, webhook, id, declaredAs }: Operation = row
    if (access === 'open') return false
    if (capability === 'auth') return true
    if (!capabilities.includes(capability)) return false
    const declared = capabilityIn(manifest, capability)
    const names = declared ? operationNamesIn(declared.block) : []
    return webhook || names.length === 0 || row.hosts.length === 0
      ? isAlwaysServed(row)
      : names.includes(id) || names.includes(declaredAs ?? id) || isAlwaysServed(row)
  })
}

const parametersOf = ({ path }: Operation): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** Whether the operation is about one thing, which its path names. */
export const isAboutOneThing = (row: Operation): boolean => parametersOf(row).length > 0

/** A call of an operation about things that do not exist, with an empty body where it takes one. */
export function callOfNothing(row: CatalogueRow, context: ProcedureContext): ServiceCall {
  const { request }: Operation = row
  return {
    as: callerOf(row, context.role),
    operation: row.id,
    params: Object.fromEntries(parametersOf(row).map((name) => [name, context.unknownId()])),
    ...(request ? { body: {} } : {}),
  }
}
