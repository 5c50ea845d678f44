/** Validates the faults of the configuration file and of `--fault` before a session opens its ports. */
import type { ConfigurationFile } from '../../core/runtime/files/configuration-file.ts'
import { faultPort } from '../../core/faults/port.ts'
import { Problem, problem } from '../../core/base/problem.ts'

/** The source location of a fault: indexes of the file's faults come first, then those of the flags. */
function locationOf(index: number, configurationFile: ConfigurationFile | undefined): string {
  if (index >= (configurationFile?.value.faults?.length ?? 0) || !configurationFile)
    return '--fault'
  const place = configurationFile.locationOf?.(['faults', index])
  return place
    ? `${configurationFile.file}:${place.line}:${place.column}`
    : `faults[${index}] of ${configurationFile.file}`
}

export function checkFaults(
  faults: readonly unknown[],
  configurationFile: ConfigurationFile | undefined,
): void {
  const wrong = faults.flatMap((spec, index) => {
    const checked = faultPort.check(spec)
    if (checked.ok) return []
    const attempted = `reading ${locationOf(index, configurationFile)}`
    return [problem(attempted, checked.error.message, 'See sparring list faults.').message]
  })
  if (wrong.length > 0) throw new Problem(wrong.join('\n'), 2)
}
