// Installs the dependencies when they are missing or stale, before anything that needs them. Plain JavaScript without
// dependencies, because it runs before they are there and on whatever Node is at hand.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The first Node that runs TypeScript as it is. */
const OLDEST_NODE = [22, 18]

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'node_modules', '.install-stamp')
const lock = join(tmpdir(), `traxx-install-${hash(root).slice(0, 16)}`)

try {
  if (!isCurrent() || !isNewEnough(process.version)) await installAlone()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

function isCurrent() {
  return textOf(stamp) === wanted()
}

/** A folder that was carried to another kind of machine has the wrong binaries. */
function wanted() {
  return hash(`${readFileSync(join(root, 'package-lock.json'), 'utf8')} ${process.platform} ${process.arch}`)
}

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number)
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
}

async function installAlone() {
  await takeLock()
  try {
    if (!isCurrent() || !isNewEnough(nodeOnPath())) install()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

function install() {
  say('Installing dependencies, as they are missing or have changed. This takes about half a minute ...')
  const started = Date.now()
  runNpm(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'])
  refuseOldNode()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted())
  say(`Dependencies installed in ${Math.round((Date.now() - started) / 1000)} s.`)
}

function runNpm(args) {
  const npm = process.env['npm_execpath'] ?? ''
  // Not by the Node of node_modules, which is about to be replaced.
  const node = process.env['npm_node_execpath'] ?? process.execPath
  const [file, first] = /npm-cli\.c?js$/.test(npm) ? [node, [npm]] : ['npm', []]
  // Standard output belongs to the command that follows.
  const { status, error } = spawnSync(file, [...first, ...args], {
    cwd: root,
    env: cleanEnvironment(),
    stdio: ['ignore', 2, 2],
  })
  if (error) throw new Error(`npm could not be started: ${error.message}`)
  if (status !== 0) throw new Error('The dependencies could not be installed: npm ci failed for the reason above.')
}

/** What npm tells the scripts it runs would confuse the npm that is run from here. */
function cleanEnvironment() {
  const own = /^npm_(package_|lifecycle_|command$|execpath$|node_execpath$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)))
}

function refuseOldNode() {
  const found = nodeOnPath()
  if (isNewEnough(found)) return
  throw new Error(
    `TRAXX brings its own Node, but npm did not install it, and the node on the PATH is ${found || 'missing'}.\n` +
      `Let npm run install scripts (npm config get ignore-scripts says whether it may) and start again,\n` +
      `or install Node 24 (${OLDEST_NODE.join('.')} at least) yourself.`,
  )
}

/** The node that npm runs the scripts of package.json with. */
function nodeOnPath() {
  const path = [join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter)
  const { stdout } = spawnSync('node', ['--version'], { encoding: 'utf8', env: { ...process.env, PATH: path } })
  return stdout?.trim() ?? ''
}

/** Making a folder succeeds for one process only; the others wait until it is gone. */
async function takeLock() {
  for (let told = false; !tryLock(); told = true) {
    if (!told) say('Waiting for another process that installs the dependencies ...')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

function tryLock() {
  try {
    mkdirSync(lock)
    writeFileSync(join(lock, 'pid'), String(process.pid))
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (isAbandoned()) removeAbandoned()
    return false
  }
}

/** Its process has ended; or it was killed before it could even say who it is. */
function isAbandoned() {
  const pid = Number(textOf(join(lock, 'pid')))
  return pid ? !isAlive(pid) : Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > 5000
}

/** Renamed first, so that of several processes only one removes it. */
function removeAbandoned() {
  const aside = `${lock}-${process.pid}`
  try {
    renameSync(lock, aside)
    rmSync(aside, { recursive: true, force: true })
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function textOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function hash(text) {
  return createHash('sha256').update(text).digest('hex')
}

function say(line) {
  process.stderr.write(`${line}\n`)
}
