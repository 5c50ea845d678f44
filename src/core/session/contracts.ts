/** The contracts that a configuration names, and the paths under which a service may serve what they describe. */
import type { Configuration } from '../session-api/configuration/schema.ts'
import type { Contract } from '../rules/contract/contract.ts'

/**
 * Their files are named relative to the folder; without one, to that with which they were read last. The reader and the
 * compiler are loaded only where there are any.
 */
export async function loadContracts(
  { contract }: Pick<Configuration, 'contract'>,
  folder?: string,
): Promise<readonly Contract[]> {
  if (contract.length === 0) return []
  const { readContract } = await import('../runtime/files/contract-files.ts')
  return Promise.all(contract.map((each) => readContract(each, folder)))
}

/** The path of a service's URL, under which it may serve what its contract describes. */
export const servicePaths = (url: string | undefined): readonly string[] => {
  const path = url !== undefined && URL.canParse(url) ? new URL(url).pathname : '/'
  return [path.replace(/\/+$/, '')].filter((base) => base !== '')
}
