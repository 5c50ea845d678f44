/** Ports for services that are started a moment later. */
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freeServicePort, listenError } from './ports.ts'

const host = '127.0.0.1'

test('each service has a port of its own, which is free, and which no connection is given', async () => {
  const ports: number[] = []
  for (let service = 0; service < 5; service++) ports.push(await freeServicePort(host))
  expect(new Set(ports).size).toBe(5)
  for (const port of ports) {
    expect(port).toBeLessThan(32_768)
    expect(await listenError(host, port)).toBeUndefined()
  }
})

test('a port that is in use is left out', async () => {
  const [one, two] = [await freeServicePort(host), await freeServicePort(host)]
  const next = 20_000 + ((two - 20_000 + (two - one) + 11_987) % 11_987)
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(next, host, resolve))
  try {
    expect(await freeServicePort(host)).not.toBe(next)
  } finally {
    server.close()
  }
})
