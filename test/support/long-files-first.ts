/**
 * Order of the test files: the largest first, as Vitest has it, and before them those that take long for their size. One that
 * begins last goes on alone while the other workers have nothing left to do.
 */
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Small files that play many scenarios or sessions, or wait for processes. */
const longFiles: readonly string[] = [
  'test/doc-commands.test.ts',
  'test/scenarios.test.ts',
  'test/scenarios-defects.test.ts',
  'src/explore/cli/merge.test.ts',
  'src/terminal/dashboard/saved-keys.test.ts',
  'src/core/rules/invariants/fuzz.test.ts',
  'test/foreign/part.test.ts',
]

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      longFiles.includes(relative(root, moduleId).replaceAll('\\', '/'))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
