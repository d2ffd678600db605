import { Component, type ReactNode } from 'react'
import { ErrorState } from './error-state.tsx'

interface AppErrorBoundaryProps {
  children: ReactNode
  /** Called before the children are tried again, to forget what failed. */
  onReset?: () => void
}

/** Keeps an error in one component from blanking the whole screen. React logs the error. */
export class AppErrorBoundary extends Component<AppErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return <ErrorState message="Something went wrong" onRetry={this.retry} />
  }

  private retry = () => {
    this.props.onReset?.()
    this.setState({ failed: false })
  }
}
