/** What flags and file say of every run. Which role your service plays each scenario says itself, so nobody else must. */
import type { ConfigurationInput } from '../../configuration.ts'
import { readConfigurationFile } from '../../edge/configuration-file.ts'
import { checkFaults } from '../faults-given.ts'
import { mergeFlags, type SessionFlags } from '../session-options.ts'

export async function readGiven(flags: SessionFlags, cwd: string): Promise<ConfigurationInput> {
  const found = await readConfigurationFile(cwd, flags.config)
  const { configuration, input } = mergeFlags(found?.value ?? {}, flags)
  checkFaults(configuration.faults, found)
  return input
}
