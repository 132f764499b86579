"""What who runs the server looks at: health, metrics, logs."""
