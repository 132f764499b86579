"""How often what costs others something may be asked for."""

from datetime import timedelta

from app.accounts.limits import Limit

TESTS = Limit("notice_test", 20, timedelta(hours=1))
CHANNELS = Limit("notice_channel", 30, timedelta(hours=1))
FORGOT = Limit("forgot", 5, timedelta(hours=1))
FORGOT_ADDRESS = Limit("forgot_address", 20, timedelta(hours=1))
