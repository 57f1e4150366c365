"""The application: settings, composition root, HTTP app, turn runner, inbox and commands."""
