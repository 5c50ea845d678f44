import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'bench/**/*.test.ts'],
    environment: 'node',
    testTimeout: 20_000,
    hookTimeout: 20_000,
    env: { CI: '', NO_COLOR: '', FORCE_COLOR: '0' },
    reporters: ['default', './src/testing/closing-line.ts'],
  },
})
