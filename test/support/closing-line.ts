/** A Vitest reporter that ends a run with one machine-readable line. */
import type { TestModule } from 'vitest/node'

export default class ClosingLine {
  onTestRunEnd(modules: readonly TestModule[]): void {
    let passed = 0
    let failed = 0
    for (const module of modules)
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed++
        if (state === 'failed') failed++
      }
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  }
}
