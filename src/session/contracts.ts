/** The contracts that a configuration names; the reader and the compiler are loaded only where there are any. */
import type { Configuration } from '../configuration/schema.ts'
import type { Contract } from '../contract/contract.ts'

export async function loadContracts({
  contract,
}: Pick<Configuration, 'contract'>): Promise<readonly Contract[]> {
  if (contract.length === 0) return []
  const { readContract } = await import('../edge/files/contract-files.ts')
  return Promise.all(contract.map(readContract))
}
